// Waits for room that have ended and whose posters have not been told yet, in order. A ring: it
// allocates only when it grows. Not thread safe; every operation is O(1), Take amortised.
#pragma once

#include <cstdint>
#include <vector>

#include "pool/task.h"

namespace workpool {

class NoticeQueue {
 public:
  struct Entry {
    Task* task = nullptr;
    bool accepted = false;
    Refusal refusal = Refusal::kQueueFull;
  };

  // Returns the number by which Drop finds the entry.
  std::uint32_t Push(const Entry& entry);
  // The entry is not to be told any more; it must not have been taken.
  void Drop(std::uint32_t number);
  // The oldest entry; its task is nullptr when there is none.
  Entry Take();

  std::uint64_t size() const { return live_; }

 private:
  void Grow();
  Entry& At(std::uint32_t number) { return ring_[number & (ring_.size() - 1)]; }

  std::vector<Entry> ring_;  // the size is a power of two or zero
  std::uint32_t head_ = 0;   // the number of the oldest entry; numbers wrap around
  std::uint32_t tail_ = 0;   // the number of the next entry
  std::uint64_t live_ = 0;   // entries not dropped
};

}  // namespace workpool
