#include "runtime/async_loops.h"

#include <pthread.h>

#include <system_error>
#include <utility>

#include "base/log.h"
#include "runtime/run_context.h"

namespace workpool {

AsyncLoops::AsyncLoops(int threads) : wanted_(threads) {
  context_.emplace(threads);
  work_.emplace(context_->get_executor());
}

AsyncLoops::~AsyncLoops() { Stop(); }

void AsyncLoops::Start() {
  if (started_.load(std::memory_order_acquire)) return;
  const MutexLock lock(mutex_);
  if (threads_.empty()) StartThreads();
  started_.store(true, std::memory_order_release);
}

void AsyncLoops::StartThreads() {
  for (int i = 0; i < wanted_; ++i) {
    ++running_;
    try {
      threads_.emplace_back([this] { Run(); });
    } catch (const std::system_error& error) {
      --running_;
      if (i == 0) throw;
      Log(LogLevel::kWarn,
          "cannot start a thread for asynchronous handlers; the running ones go on",
          {{"error", error.what()}});
      return;
    }
  }
}

void AsyncLoops::Run() {
  pthread_setname_np(pthread_self(), "async");
  RunContext(*context_, "a task of the asynchronous handlers' loop threw");
  if (--running_ == 0) Destroy();
}

void AsyncLoops::Destroy() {
  work_.reset();
  context_.reset();
}

void AsyncLoops::Stop() {
  if (!context_) return;
  std::vector<std::thread> threads;
  {
    const MutexLock lock(mutex_);
    threads.swap(threads_);
  }
  if (threads.empty()) return Destroy();
  context_->stop();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace workpool
