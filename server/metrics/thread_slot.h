// Numbers for threads that count, so that each of the first kOwnSlots has counts of its own.
#pragma once

#include <cstddef>

#include "metrics/count.h"

namespace workpool::metrics {

inline constexpr std::size_t kOwnSlots = 256;
inline constexpr std::size_t kSharedSlots = 16;
inline constexpr std::size_t kSlots = kOwnSlots + kSharedSlots;

// Held by a thread from its first count to its end. A number below kOwnSlots is no other living
// thread's, and what an earlier holder wrote has happened before; the threads beyond those share
// the other numbers.
class ThreadSlot {
 public:
  ThreadSlot();
  ~ThreadSlot();
  ThreadSlot(const ThreadSlot&) = delete;
  ThreadSlot& operator=(const ThreadSlot&) = delete;

  std::size_t number() const { return number_; }
  Writers writers() const { return number_ < kOwnSlots ? Writers::kOne : Writers::kSeveral; }

 private:
  const std::size_t number_;
};

}  // namespace workpool::metrics
