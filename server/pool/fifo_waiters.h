// Posts that wait for room in a FIFO pool, in the order of their arrival. Each lives on its
// poster's stack. Not thread safe; no allocation.
#pragma once

#include <cstdint>
#include <optional>

#include "pool/task.h"

namespace workpool {

template <typename Item, typename Platform>
struct FifoWaiter {
  explicit FifoWaiter(Item& the_item) : item(&the_item) {}
  FifoWaiter(const FifoWaiter&) = delete;
  FifoWaiter& operator=(const FifoWaiter&) = delete;

  typename Platform::Word called{0};  // what its poster sleeps on while 0

  bool first = false;  // for its poster alone: it saw that nobody waits before it

  // Guarded by the pool's lock for posting:
  Item* item;
  enum class State : std::uint8_t { kWaits, kAccepted, kRefused } state = State::kWaits;
  Refusal refusal = Refusal::kQueueFull;  // when refused
  FifoWaiter* before = nullptr;
  FifoWaiter* behind = nullptr;
};

template <typename Waiter>
class FifoWaiters {
 public:
  bool empty() const { return front_ == nullptr; }
  std::uint64_t size() const { return size_; }
  Waiter* front() const { return front_; }

  void Push(Waiter& waiter) {
    waiter.before = back_;
    (back_ != nullptr ? back_->behind : front_) = &waiter;
    back_ = &waiter;
    ++size_;
  }
  // It must be in this list.
  void Remove(Waiter& waiter) {
    (waiter.before != nullptr ? waiter.before->behind : front_) = waiter.behind;
    (waiter.behind != nullptr ? waiter.behind->before : back_) = waiter.before;
    waiter.before = waiter.behind = nullptr;
    --size_;
  }

 private:
  Waiter* front_ = nullptr;
  Waiter* back_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace workpool
