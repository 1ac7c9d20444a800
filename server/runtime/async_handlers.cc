#include "runtime/async_handlers.h"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

#include "runtime/async_loops.h"
#include "runtime/async_run.h"

namespace workpool {
namespace {

int ThreadsFor(const AsyncOptions& options) {
  if (options.threads < 0) throw std::invalid_argument("AsyncOptions::threads is negative");
  if (options.threads > 0) return options.threads;
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 2U, 8U));
}

class AsyncHandler final : public Handler {
 public:
  AsyncHandler(AsyncLoops& loops, AsyncFunction function)
      : loops_(loops), function_(std::make_shared<const AsyncFunction>(std::move(function))) {}

  void Run(std::shared_ptr<Attempt> attempt) override {
    loops_.Start();
    RunAsync(loops_.MakeStrand(), function_, std::move(attempt));
  }
  bool brief() const override { return true; }

 private:
  AsyncLoops& loops_;
  const std::shared_ptr<const AsyncFunction> function_;
};

}  // namespace

class AsyncHandlers::Impl {
 public:
  explicit Impl(int threads) : loops(threads) {}
  AsyncLoops loops;
};

AsyncHandlers::AsyncHandlers(AsyncOptions options)
    : impl_(std::make_unique<Impl>(ThreadsFor(options))) {}
AsyncHandlers::~AsyncHandlers() = default;

std::shared_ptr<Handler> AsyncHandlers::Make(AsyncFunction function) {
  if (!function) throw std::invalid_argument("an asynchronous handler's function is empty");
  return std::make_shared<AsyncHandler>(impl_->loops, std::move(function));
}

asio::any_io_executor AsyncHandlers::executor() { return impl_->loops.executor(); }

}  // namespace workpool
