// The threads on which coroutines run: a few, on one Asio context. Private to this folder.
//
// Thread safe, but for Stop.
#pragma once

#include <asio/any_io_executor.hpp>
#include <asio/io_context.hpp>
#include <asio/strand.hpp>
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace workpool {

class AsyncLoops {
 public:
  using Strand = asio::strand<asio::io_context::executor_type>;

  // No thread starts yet. `threads`: at least 1.
  explicit AsyncLoops(int threads);
  ~AsyncLoops();
  AsyncLoops(const AsyncLoops&) = delete;
  AsyncLoops& operator=(const AsyncLoops&) = delete;

  // Starts the threads unless they run. Throws std::system_error if the system refuses the first;
  // without others it goes on.
  void Start();
  // Ends and joins the threads. What is left to run, suspended coroutines included, is destroyed on
  // the last of them; without threads, here. Nothing may be begun any more. Not from a loop.
  void Stop();

  asio::any_io_executor executor() { return context_->get_executor(); }
  // What runs on it runs on one thread at a time.
  Strand MakeStrand() { return asio::make_strand(*context_); }

 private:
  using Work = asio::executor_work_guard<asio::io_context::executor_type>;

  void StartThreads() REQUIRES(mutex_);
  void Run();
  void Destroy();

  const int wanted_;
  std::optional<asio::io_context> context_;  // until Destroy
  std::optional<Work> work_;
  std::atomic<int> running_{0};
  std::atomic<bool> started_{false};

  Mutex mutex_;
  std::vector<std::thread> threads_ GUARDED_BY(mutex_);
};

}  // namespace workpool
