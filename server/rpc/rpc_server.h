// The gRPC side of the daemon: WorkPool, Admin, health and reflection, on one listener. Convert,
// call the dispatcher, convert back; no gRPC thread ever blocks on a handler or a wait.
//
// Connections are accepted by an acceptor of our own that stops below the descriptor limit and goes
// on when clients have left (gRPC 1.51 never accepts again after one EMFILE).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "jobs/control.h"
#include "jobs/dispatcher.h"

namespace workpool {

struct RpcOptions {
  std::string listen = "127.0.0.1:7650";  // HOST:PORT (port 0 for any), [V6]:PORT or unix:/PATH
  std::uint64_t max_message = std::uint64_t{64} << 20;
  std::uint64_t stream_window_items = 1000;
  std::uint64_t stream_window_bytes = std::uint64_t{8} << 20;
};

class RpcServer {
 public:
  // The error (kInternal) names the address and the system's reason. A stale unix socket (nobody
  // answers on it) is replaced; a live one is an error.
  static Result<std::unique_ptr<RpcServer>> Start(const RpcOptions& options, Dispatcher& dispatcher,
                                                  ServerControl& control);
  virtual ~RpcServer() = default;

  virtual std::string address() const = 0;  // with the port that it got

  // Health answers NOT_SERVING from now on; posts are refused by the dispatcher.
  virtual void SetNotServing() = 0;
  // The pools that health knows by name ("pool/NAME").
  virtual void SetPools(const std::vector<std::string>& names) = 0;
  // Accepts no more, ends streams, and cancels what is left at `deadline`.
  virtual void Shutdown(SteadyTime deadline) = 0;
};

}  // namespace workpool
