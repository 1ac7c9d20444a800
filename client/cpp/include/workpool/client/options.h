// Settings of a client and of single calls.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

namespace workpool::client {

struct ClientOptions {
  // "host:port" or "unix:/path".
  std::string server = "127.0.0.1:7650";
  // Bound on calls that name none; Run, Wait and Drain then have none.
  std::chrono::nanoseconds timeout = std::chrono::seconds(30);
  // How often a post is tried while the answer is QUEUE_FULL, the first time included: the client
  // then waits as long as the daemon's push-back says. Nothing else is ever tried again. 1 is off.
  unsigned attempts = 1;
};

// For one blocking or asynchronous call.
struct CallOptions {
  // The call ends with DEADLINE_EXCEEDED when this has passed, time between attempts included.
  std::optional<std::chrono::nanoseconds> timeout = {};
  // Default: the client's. Read by Post, PostBatch and Run (blocking).
  std::optional<unsigned> attempts = {};
  // Ends the call with CANCELLED when it is triggered.
  std::stop_token stop = {};
};

// For a post that gathers. It has no stop token: see Client::Abandon.
struct PostOptions {
  // The post ends with DEADLINE_EXCEEDED when this has passed. A wait for room ends a little
  // before it (by a tenth, at most 100 ms), so that the reason is known.
  std::optional<std::chrono::nanoseconds> timeout = {};
  std::optional<unsigned> attempts = {};
};

}  // namespace workpool::client
