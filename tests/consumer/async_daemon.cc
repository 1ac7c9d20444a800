// A workpoold whose handler is a coroutine: it waits without holding a thread.
#include <workpool/app/daemon.h>
#include <workpool/runtime/async_handlers.h>

#include <algorithm>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <chrono>
#include <string>

namespace {

asio::awaitable<workpool::Outcome> Reverse(const workpool::Job& job, workpool::JobContext&) {
  asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::milliseconds(10));
  co_await timer.async_wait(asio::use_awaitable);
  std::string text(job.payload);
  std::ranges::reverse(text);
  co_return text;
}

}  // namespace

int main(int argc, char** argv) {
  workpool::AsyncHandlers async;
  workpool::HandlerRegistry registry;
  registry.Add("reverse", async.Make(Reverse));
  return workpool::RunDaemon(argc, argv, registry);
}
