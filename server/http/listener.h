// The listening socket. Not thread safe.
#pragma once

#include <string>

#include "base/error.h"
#include "http/descriptor.h"

namespace workpool::http {

struct Listener {
  Descriptor socket;    // non-blocking, close-on-exec
  std::string address;  // as bound, with the port that it got
};

// Resolves "HOST:PORT" or "[IPv6]:PORT" and listens on the first address that can be bound. The
// error (kInternal) names `listen` and the system's reason.
Result<Listener> Listen(const std::string& listen);

}  // namespace workpool::http
