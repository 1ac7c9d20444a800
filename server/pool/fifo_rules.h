// FifoAdmission: what is not done for every task. Included by fifo_admission.h alone.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "pool/fifo_admission.h"

namespace workpool {

template <typename Item, typename Platform>
auto FifoAdmission<Item, Platform>::Offer(Item& item, Waiter* waiter) -> Offered {
  if (draining_) return Refuse(Refusal::kDraining);
  if (waiters_.empty() && HasRoom()) {
    Accept(item);
    return {.accepted = true};
  }
  if (waiter == nullptr || waiters_.size() >= limits_.max_waiting) {
    return Refuse(Refusal::kQueueFull);
  }
  waiters_.Push(*waiter);
  return {.waits = true};
}

template <typename Item, typename Platform>
auto FifoAdmission<Item, Platform>::ServeNext() -> Waiter* {
  if (waiters_.empty() || !HasRoom()) return nullptr;
  Waiter& waiter = *waiters_.front();
  waiters_.Remove(waiter);
  Accept(*waiter.item);
  waiter.state = Waiter::State::kAccepted;
  return &waiter;
}

template <typename Item, typename Platform>
auto FifoAdmission<Item, Platform>::RefuseNext() -> Waiter* {
  if (waiters_.empty() || !draining_) return nullptr;
  Waiter& waiter = *waiters_.front();
  GiveUp(waiter, Refusal::kDraining);
  return &waiter;
}

template <typename Item, typename Platform>
void FifoAdmission<Item, Platform>::Resize(const PoolLimits& limits) {
  WORKPOOL_CHECK(limits.workers > 0);
  CountStarted();
  if (limits.workers != limits_.workers) numbers_.SetLimit(limits.workers);
  limits_ = limits;
  bound_ = Bound(limits);
  Settle();
}

template <typename Item, typename Platform>
void FifoAdmission<Item, Platform>::Pause() {
  CountStarted();
  paused_ = !closed_;
  Settle();
}

template <typename Item, typename Platform>
void FifoAdmission<Item, Platform>::Resume() {
  if (closed_) return;
  paused_ = draining_ = false;
  Settle();
}

template <typename Item, typename Platform>
void FifoAdmission<Item, Platform>::Drain() {
  CountStarted();
  paused_ = false;
  draining_ = true;
  Settle();
}

template <typename Item, typename Platform>
void FifoAdmission<Item, Platform>::Close(bool run_queued) {
  closed_ = true;
  run_queued_ = run_queued_ && run_queued;
  Drain();
}

template <typename Item, typename Platform>
auto FifoAdmission<Item, Platform>::TakeQueued() -> std::vector<Item> {
  CountStarted();
  std::vector<Item> taken;
  const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
  for (std::uint64_t at = started_; at != tail; ++at) {
    taken.push_back(std::move(ring_.At(at).item));
    ring_.Drop(at);
  }
  withdrawn_ += taken.size();
  tail_.store(started_, std::memory_order_seq_cst);
  seen_tail_ = started_;
  Settle();
  return taken;
}

template <typename Item, typename Platform>
void FifoAdmission<Item, Platform>::Settle() {
  if (plain_) return;
  StartQueued();
  active_peak_ = std::max(active_peak_, active());
  if (paused_ || draining_ || active() > limits_.workers) return;
  plain_ = true;
  SetPeakMark();
}

template <typename Item, typename Platform>
auto FifoAdmission<Item, Platform>::Read() const -> PoolStats {
  PoolStats stats{.limits = limits_,
                  .paused = paused_,
                  .draining = draining_,
                  .closed = closed_,
                  .queued = queued(),
                  .active = active(),
                  .places_taken = active(),
                  .waiting = waiters_.size(),
                  .queued_peak = queued_peak_,
                  .active_peak = active_peak_,
                  .accepted = tail_.load(std::memory_order_relaxed) + withdrawn_,
                  .refused = refused_,
                  .finished = finished_.load(std::memory_order_relaxed),
                  .withdrawn = withdrawn_,
                  .oldest_queued = std::nullopt};
  if (stats.queued > 0) {
    const std::uint64_t first = tail_.load(std::memory_order_relaxed) - stats.queued;
    stats.oldest_queued = ring_.At(first).offered_at;
  }
  return stats;
}

template <typename Item, typename Platform>
void FifoAdmission<Item, Platform>::Accept(Item& item) {
  const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
  const std::uint64_t head = head_.load(std::memory_order_relaxed);
  if (tail - head >= ring_.size()) ring_.Resize(ring_.size() * 2, head, tail);
  Put(item, tail);
  if (plain_) {
    RaisePlainPeaks(tail + 1);
  } else {
    StartQueued();
    queued_peak_ = std::max(queued_peak_, queued());
    active_peak_ = std::max(active_peak_, active());
  }
}

template <typename Item, typename Platform>
void FifoAdmission<Item, Platform>::RaisePlainPeaks(std::uint64_t tail) {
  seen_finished_ = finished_.load(std::memory_order_acquire);
  const std::uint64_t unfinished = tail - seen_finished_;
  const std::uint64_t workers = limits_.workers;
  active_peak_ = std::max(active_peak_, std::min(unfinished, workers));
  queued_peak_ = std::max(queued_peak_, unfinished - std::min(unfinished, workers));
  SetPeakMark();
}

template <typename Item, typename Platform>
void FifoAdmission<Item, Platform>::CountStarted() {
  if (!plain_) return;
  const std::uint64_t finished = finished_.load(std::memory_order_relaxed);
  started_ = std::min(tail_.load(std::memory_order_relaxed), finished + limits_.workers);
  plain_ = false;
  for (std::uint64_t at = taken(); at != started_; ++at) {
    if (ring_.At(at).number == kNoNumber) ring_.At(at).number = numbers_.Take();
  }
}

template <typename Item, typename Platform>
void FifoAdmission<Item, Platform>::StartQueued() {
  const std::uint64_t tail = tail_.load(std::memory_order_acquire);
  while (started_ != tail && MayStart()) ring_.At(started_++).number = numbers_.Take();
}

template <typename Item, typename Platform>
auto FifoAdmission<Item, Platform>::NumberFor(const Slot& slot, std::optional<std::uint32_t> number)
    -> std::uint32_t {
  if (slot.number == kNoNumber && number && *number < limits_.workers) return *number;
  if (number) numbers_.Return(*number);
  return slot.number != kNoNumber ? slot.number : numbers_.Take();
}

}  // namespace workpool
