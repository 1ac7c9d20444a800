// The HTTP port: /metrics, /healthz (the process lives), /readyz (it serves). GET and HEAD only.
//
// One thread serves every connection without blocking on any of them, so that a slow or hostile
// client holds up nobody. Connections, sizes of requests and times are bounded (HttpLimits). When
// the process has no descriptor left it neither spins nor goes deaf: one descriptor is held in
// reserve for this case, so that a scrape still shows what is wrong.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "base/error.h"

namespace workpool {

struct HttpLimits {
  // A new one beyond them takes the place of one that is idle, or else has been sending its request
  // or taking its answer for longest. In force is at most an eighth of the descriptors that the
  // process may have at the start, and at least 2.
  std::size_t connections = 64;
  std::size_t request_bytes = 8192;                // request line and headers; more is answered 431
  std::chrono::milliseconds request_time{10'000};  // to send a request, and to take its answer
  std::chrono::milliseconds idle_time{120'000};    // between requests
};

// Both are called on the server's thread and should take milliseconds. Whatever they throw is
// answered 500.
struct HttpRoutes {
  std::function<std::string()> metrics;
  std::function<bool()> ready;
};

class HttpServer {
 public:
  // "HOST:PORT" or "[IPv6]:PORT"; port 0 for any. The error (kInternal) names the address and the
  // system's reason. May block to resolve a host's name.
  static Result<std::unique_ptr<HttpServer>> Start(const std::string& listen, HttpRoutes routes,
                                                   const HttpLimits& limits = {});
  // Closes the listener and all connections at once, and ends the thread; waits only for a call of
  // a route that is under way.
  virtual ~HttpServer() = default;
  virtual std::string address() const = 0;  // with the port that it got
};

}  // namespace workpool
