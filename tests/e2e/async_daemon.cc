// A workpoold with asynchronous handlers, for async_test.py.
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <stdexcept>

#include "app/daemon.h"
#include "base/units.h"
#include "runtime/async_handlers.h"

namespace {

using workpool::Job;
using workpool::JobContext;
using workpool::Outcome;

asio::awaitable<void> Pause(std::chrono::nanoseconds duration) {
  asio::steady_timer timer(co_await asio::this_coro::executor, duration);
  co_await timer.async_wait(asio::use_awaitable);
}

// Waits as long as its payload says.
asio::awaitable<Outcome> Nap(const Job& job, JobContext&) {
  co_await Pause(workpool::ParseDuration(job.payload).value());
  co_return "woke";
}

// Cares for nothing that it is told.
asio::awaitable<Outcome> Deaf(const Job&, JobContext&) {
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await Pause(std::chrono::hours(1));
  co_return "never";
}

asio::awaitable<Outcome> Throw(const Job& job, JobContext&) {
  co_await Pause(std::chrono::nanoseconds(0));
  throw std::runtime_error(std::string(job.payload));
}

}  // namespace

int main(int argc, char** argv) {
  workpool::AsyncHandlers async;
  workpool::HandlerRegistry registry;
  registry.Add("nap", async.Make(Nap));
  registry.Add("deaf", async.Make(Deaf));
  registry.Add("throw", async.Make(Throw));
  return workpool::RunDaemon(argc, argv, registry);
}
