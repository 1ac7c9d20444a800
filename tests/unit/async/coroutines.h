// What the tests of asynchronous handlers share.
#pragma once

#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <chrono>
#include <memory>
#include <utility>

#include "fakes/fake_attempt.h"
#include "runtime/async_handlers.h"

namespace workpool {

// Ends early, with operation_aborted, when it is cancelled.
inline asio::awaitable<void> Pause(std::chrono::nanoseconds duration) {
  asio::steady_timer timer(co_await asio::this_coro::executor, duration);
  co_await timer.async_wait(asio::use_awaitable);
}

inline std::shared_ptr<FakeAttempt> Begin(Handler& handler, std::string payload = "") {
  auto attempt = std::make_shared<FakeAttempt>();
  attempt->fake_job.payload = attempt->Keep(std::move(payload));
  handler.Run(attempt);
  return attempt;
}

inline std::shared_ptr<FakeAttempt> Begin(AsyncHandlers& async, AsyncFunction function) {
  return Begin(*async.Make(std::move(function)));
}

}  // namespace workpool
