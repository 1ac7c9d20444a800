// A mutex for sections of some tens of nanoseconds: its waiter spins for a moment before it sleeps.
// Unlocking touches nothing but the address of the lock once it is free, so that who takes it next
// may destroy it. A template over its platform, so that a test can explore who gets it when.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "base/mutex.h"

namespace workpool {

template <typename Platform>
class CAPABILITY("mutex") AdaptiveLock {
 public:
  AdaptiveLock() = default;
  AdaptiveLock(const AdaptiveLock&) = delete;
  AdaptiveLock& operator=(const AdaptiveLock&) = delete;

  void Lock() ACQUIRE() {
    std::uint32_t free = kFree;
    if (!word_.compare_exchange_strong(free, kTaken, std::memory_order_acquire)) LockSlowly();
  }

  void Unlock() RELEASE() {
    if (word_.exchange(kFree, std::memory_order_release) == kAwaited) Platform::WakeOne(&word_);
  }

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kTaken = 1;
  static constexpr std::uint32_t kAwaited = 2;  // taken, and perhaps somebody sleeps

  void LockSlowly() {
    for (int spin = 0; spin < Platform::kLockSpins; ++spin) {
      Platform::LockPause();
      std::uint32_t free = kFree;
      if (word_.load(std::memory_order_relaxed) == kFree &&
          word_.compare_exchange_strong(free, kTaken, std::memory_order_acquire)) {
        return;
      }
    }
    while (word_.exchange(kAwaited, std::memory_order_acquire) != kFree) {
      Platform::Wait(word_, kAwaited, SteadyTime::max());
    }
  }

  typename Platform::Word word_{kFree};
};

}  // namespace workpool
