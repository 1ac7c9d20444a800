// A mutex of four bytes, for objects of which there are millions; as Mutex in all else. A thread
// that has to wait for it sleeps in the kernel.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/mutex.h"

namespace workpool {

class CAPABILITY("mutex") SmallMutex {
 public:
  SmallMutex() = default;
  SmallMutex(const SmallMutex&) = delete;
  SmallMutex& operator=(const SmallMutex&) = delete;

  void Lock() ACQUIRE() {
    std::uint32_t expected = kFree;
    if (!state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire)) Await();
  }
  void Unlock() RELEASE() {
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited) state_.notify_one();
  }

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kHeld = 1;
  static constexpr std::uint32_t kAwaited = 2;  // held, and somebody may wait

  // Whoever has waited takes it as awaited: others may wait still.
  void Await() {
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree) {
      state_.wait(kAwaited, std::memory_order_relaxed);
    }
  }

  std::atomic<std::uint32_t> state_{kFree};
};

// Holds a SmallMutex while in scope; may be released early.
class SCOPED_CAPABILITY SmallMutexLock {
 public:
  explicit SmallMutexLock(SmallMutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~SmallMutexLock() RELEASE() {
    if (held_) mutex_.Unlock();
  }
  SmallMutexLock(const SmallMutexLock&) = delete;
  SmallMutexLock& operator=(const SmallMutexLock&) = delete;

  void Unlock() RELEASE() {
    held_ = false;
    mutex_.Unlock();
  }

 private:
  SmallMutex& mutex_;
  bool held_ = true;
};

}  // namespace workpool
