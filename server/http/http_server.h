// The HTTP port: /metrics, /healthz (the process lives), /readyz (it serves). GET and HEAD only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/error.h"

namespace workpool {

struct HttpRoutes {
  std::function<std::string()> metrics;  // called on the server's threads
  std::function<bool()> ready;
};

class HttpServer {
 public:
  // "HOST:PORT", port 0 for any. The error (kInternal) names the address and the system's reason.
  static Result<std::unique_ptr<HttpServer>> Start(const std::string& listen, HttpRoutes routes);
  virtual ~HttpServer() = default;          // closes connections, ends its threads
  virtual std::string address() const = 0;  // with the port that it got
};

}  // namespace workpool
