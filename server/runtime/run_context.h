// Runs an Asio context on the calling thread. Private to this folder.
#pragma once

#include <asio/io_context.hpp>
#include <exception>
#include <string_view>

#include "base/log.h"

namespace workpool {

// Until the context is stopped. What its tasks throw is logged, and it goes on.
inline void RunContext(asio::io_context& context, std::string_view what) {
  while (!context.stopped()) {
    try {
      context.run();
    } catch (const std::exception& error) {
      Log(LogLevel::kError, what, {{"error", error.what()}});
    } catch (...) {
      Log(LogLevel::kError, what);
    }
  }
}

}  // namespace workpool
