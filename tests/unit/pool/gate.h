// Helpers of the tests with threads: they wait for conditions; the bound is only there for a hang.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "fakes/eventually.h"

namespace workpool {

inline constexpr auto kForEver = std::chrono::nanoseconds::max();

inline SteadyTime In(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}
inline SteadyTime InTime() { return std::chrono::steady_clock::now() + kHang; }

// Holds up whoever passes until it is opened, and counts them.
class Gate {
 public:
  void Open() {
    const MutexLock lock(mutex_);
    open_ = true;
    changed_.NotifyAll();
  }
  // False on a hang.
  bool Pass() {
    const MutexLock lock(mutex_);
    ++arrived_;
    changed_.NotifyAll();
    const SteadyTime bound = InTime();
    while (!open_) {
      if (!changed_.WaitUntil(mutex_, bound)) return open_;
    }
    return true;
  }
  // Until so many have arrived; false on a hang.
  bool AwaitArrivals(int count) {
    const MutexLock lock(mutex_);
    const SteadyTime bound = InTime();
    while (arrived_ < count) {
      if (!changed_.WaitUntil(mutex_, bound)) return arrived_ >= count;
    }
    return true;
  }
  int arrived() {
    const MutexLock lock(mutex_);
    return arrived_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool open_ GUARDED_BY(mutex_) = false;
  int arrived_ GUARDED_BY(mutex_) = 0;
};

// Runs `body` on so many threads, which begin together.
inline void OnThreads(int count, const std::function<void(int)>& body) {
  Gate start;
  std::vector<std::jthread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      EXPECT_TRUE(start.Pass());
      body(i);
    });
  }
  EXPECT_TRUE(start.AwaitArrivals(count));
  start.Open();
}

}  // namespace workpool
