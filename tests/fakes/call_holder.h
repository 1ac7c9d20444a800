// Holds calls up while a test wants it.
#pragma once

#include <grpcpp/server_context.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace workpool::fakes {

// Thread safe.
class CallHolder {
 public:
  void Hold() { Set(held_, true); }
  void Release() { Set(held_, false); }
  // Ends all calls that are held up, and those to come, until it is started again.
  void Stop() { Set(stopping_, true); }
  void Start() { Set(stopping_, false); }

  // False if the call was ended meanwhile.
  bool AwaitRelease(const grpc::ServerContext& context) {
    std::unique_lock lock(mutex_);
    while (held_ && !stopping_ && !context.IsCancelled()) {
      changed_.wait_for(lock, std::chrono::milliseconds(5));  // nobody announces a cancel
    }
    return !stopping_ && !context.IsCancelled();
  }

 private:
  void Set(bool& which, bool value) {
    const std::lock_guard lock(mutex_);
    which = value;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool held_ = false;
  bool stopping_ = false;
};

}  // namespace workpool::fakes
