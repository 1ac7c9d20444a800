// Asynchronous handlers for a daemon of one's own: an Asio coroutine runs the job. It holds its
// worker but no thread, so that a pool can have 50,000 workers on a few threads. The only public
// header that needs Asio; link workpool::async (docs/embedding.md).
//
//   int main(int argc, char** argv) {
//     workpool::AsyncHandlers async;
//     workpool::HandlerRegistry registry;
//     registry.Add("fetch", async.Make([](const workpool::Job& job, workpool::JobContext& context)
//                                          -> asio::awaitable<workpool::Outcome> {
//       asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::seconds(1));
//       co_await timer.async_wait(asio::use_awaitable);
//       co_return job.payload;
//     }));
//     return workpool::RunDaemon(argc, argv, registry);
//   }
#pragma once

#include <asio/any_io_executor.hpp>
#include <asio/awaitable.hpp>
#include <functional>
#include <memory>

#include "jobs/handler.h"

namespace workpool {

// Called on a thread of the AsyncHandlers, for many jobs at once, so it must be thread safe. The
// coroutine of one job runs on a strand (`co_await asio::this_coro::executor`), one thread at a
// time, and goes on there after each wait. `job` and `context` are valid until it has ended, and so
// is what a lambda has captured.
//
// What it returns is the outcome; what it throws, of any type, fails the attempt.
//
// When a timeout, a cancel or a shutdown tells it to stop, the context's stop token is requested,
// and the operation that it waits for is cancelled (cancellation_type::all): it throws
// operation_aborted, and so does each later co_await, until the coroutine calls `co_await
// asio::this_coro::reset_cancellation_state()`. What it returns then still counts. It goes on until
// it ends by itself; one that does not counts as a stuck worker and is left behind at the end of a
// shutdown, as a function that blocks would be.
using AsyncFunction = std::function<asio::awaitable<Outcome>(const Job& job, JobContext& context)>;

struct AsyncOptions {
  // On how many threads the coroutines run. A step that computes for long, or blocks, holds one of
  // them. 0: one a core, at least 2, at most 8.
  int threads = 0;
};

// Owns the threads on which its handlers run; the daemon's own loop is not among them, so that no
// handler delays timers, signals or commands. They start with the first job.
//
// Thread safe. Must outlive the RunDaemon that its handlers are given to.
class AsyncHandlers {
 public:
  // Throws std::invalid_argument for a negative number of threads.
  explicit AsyncHandlers(AsyncOptions options = {});
  // Ends the threads. A coroutine that has not ended is destroyed, on one of them.
  ~AsyncHandlers();
  AsyncHandlers(const AsyncHandlers&) = delete;
  AsyncHandlers& operator=(const AsyncHandlers&) = delete;

  // Throws std::invalid_argument for an empty function. A job for which no thread can be started
  // fails.
  std::shared_ptr<Handler> Make(AsyncFunction function);

  // For what handlers share, such as connections. What is begun on it waits for the first job; what
  // it throws is logged. Not a strand.
  asio::any_io_executor executor();

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace workpool
