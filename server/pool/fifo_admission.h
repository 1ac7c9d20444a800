// The second implementation of the rules of docs/admission.md: first come, first served, for pools
// without priorities, bytes or weights. Posting and taking touch different memory, so that a poster
// and a worker need not hold the same lock. Passive: no thread, no blocking, no clock but the
// platform's coarse one.
//
// Not thread safe: its owner has two locks. "Posting" and "taking" at a function say which must be
// held; "both" is both. What is written under both may be read under either.
//
// Exactness: while the pool is plain (not paused, not drained, not shrinking)
//   unfinished = posted - finished, active = min(unfinished, workers), queued = the rest,
// and a post is accepted exactly when unfinished < workers + capacity. `finished` only grows, so a
// poster may go by an old value of it until that looks full. In every other state how many have
// started is counted one by one, and posting takes both locks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "pool/adaptive_lock.h"
#include "pool/admission.h"
#include "pool/fifo_ring.h"
#include "pool/fifo_waiters.h"
#include "pool/worker_numbers.h"

namespace workpool {

template <typename Item, typename Platform>
class FifoAdmission {
 public:
  using Waiter = FifoWaiter<Item, Platform>;

  // Of the limits, the bytes are ignored.
  explicit FifoAdmission(const PoolLimits& limits)
      : ring_(std::min(std::bit_ceil(Bound(limits)), kFirstRing)),
        limits_(limits),
        bound_(Bound(limits)),
        numbers_(limits.workers) {
    WORKPOOL_CHECK(limits.workers > 0);
    SetPeakMark();
  }
  ~FifoAdmission() {
    for (std::uint64_t at = head_.load(); at != tail_.load(); ++at) ring_.Drop(at);
  }
  FifoAdmission(const FifoAdmission&) = delete;
  FifoAdmission& operator=(const FifoAdmission&) = delete;

  // The owner's lock for taking: beside what it guards, so that a worker gets both at once.
  AdaptiveLock<Platform>& taking() { return taking_; }

  // --- posting

  // Posting. kOther: it takes Offer to tell. The item is moved from when it is accepted.
  enum class Plain : std::uint8_t { kAccepted, kFull, kOther };
  Plain OfferPlain(Item& item) {
    if (!plain_ || !waiters_.empty()) return Plain::kOther;
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - seen_finished_ >= bound_) {
      seen_finished_ = finished_.load(std::memory_order_acquire);
      if (tail - seen_finished_ >= bound_) return Plain::kFull;
    }
    if (tail - seen_head_ >= ring_.size()) {
      seen_head_ = head_.load(std::memory_order_acquire);
      if (tail - seen_head_ >= ring_.size()) return Plain::kOther;
    }
    Put(item, tail);
    if (tail + 1 - seen_finished_ > peak_mark_) RaisePlainPeaks(tail + 1);
    return Plain::kAccepted;
  }

  // Posting: a post that OfferPlain found to be full is refused.
  void CountRefused(Refusal why) { ++refused_[static_cast<std::size_t>(why)]; }

  // Both. True: accepted, or with `waiter` perhaps put with those that wait. ServeNext
  // comes before, until nobody can be let in.
  struct Offered {
    bool accepted = false;
    bool waits = false;
    Refusal refusal = Refusal::kQueueFull;  // if neither
  };
  Offered Offer(Item& item, Waiter* waiter);

  // Both. Lets in the first of those that wait, if there is room, and returns it; else nullptr.
  Waiter* ServeNext();
  // Both. While draining: refuses the first of those that wait and returns it; else nullptr.
  Waiter* RefuseNext();

  // Both. The poster had enough of waiting; it must still wait.
  void GiveUp(Waiter& waiter, Refusal why) {
    waiters_.Remove(waiter);
    waiter.state = Waiter::State::kRefused;
    waiter.refusal = why;
    CountRefused(why);
  }

  // Posting.
  Waiter* FirstWaiter() const { return waiters_.front(); }

  // --- taking

  // Taking. There is a task that has started and that nobody has taken.
  bool CanTake() {
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    if (head == TakeLimit()) return false;
    if (head == seen_tail_) seen_tail_ = tail_.load(std::memory_order_acquire);
    return head != seen_tail_;
  }
  // The same, for who has just published that it will not look again: sees every post whose poster
  // may have missed that.
  bool CanTakeNow() {
    seen_tail_ = tail_.load(std::memory_order_seq_cst);
    return CanTake();
  }
  // Taking, after CanTakeNow: there is another one behind it.
  bool CanTakeTwo() const {
    const std::uint64_t second = head_.load(std::memory_order_relaxed) + 1;
    return second < TakeLimit() && second < seen_tail_;
  }
  // Taking, after CanTake. `number`: one that Finish left with the caller, or none.
  struct Taken {
    Item item;
    Place place;
  };
  Taken Take(std::optional<std::uint32_t> number = std::nullopt) {
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    Slot& slot = ring_.At(head);
    if (head + kAhead < seen_tail_) ring_.Prefetch(head + kAhead);
    Taken taken{std::move(slot.item), {NumberFor(slot, number)}};
    ring_.Drop(head);
    head_.store(head + 1, std::memory_order_release);
    return taken;
  }

  // Taking. Hands back a place. The number stays with a caller that will take or return it before
  // it lets go of the lock; none: it is returned already.
  std::optional<std::uint32_t> Finish(Place place) {
    const std::uint64_t finished = finished_.load(std::memory_order_relaxed);
    finished_.store(finished + 1, std::memory_order_release);
    if (plain_) return place.worker;
    numbers_.Return(place.worker);
    StartQueued();
    return std::nullopt;
  }
  // Taking.
  void ReturnNumber(std::uint32_t number) { numbers_.Return(number); }

  // Taking. There is room for a post that waits until no more than so many are unfinished.
  bool HasRoomAt(std::uint64_t unfinished) const {
    return plain_ ? Unfinished() <= unfinished : HasRoom();
  }
  // Taking. As many threads may be of use.
  std::uint64_t places() const {
    return plain_ ? limits_.workers : std::max<std::uint64_t>(limits_.workers, active());
  }

  // Taking. How many have been taken.
  std::uint64_t taken() const { return head_.load(std::memory_order_relaxed); }

  // --- any lock, or none: hints for those that spin

  bool LooksEmpty() const {
    return tail_.load(std::memory_order_relaxed) == head_.load(std::memory_order_relaxed);
  }
  std::uint64_t LooksFinished() const { return finished_.load(std::memory_order_relaxed); }
  std::uint64_t LooksUnfinished() const {
    const std::uint64_t finished = finished_.load(std::memory_order_relaxed);
    return tail_.load(std::memory_order_relaxed) - finished;
  }

  // --- control: both

  void Resize(const PoolLimits& limits);
  void Pause();
  void Resume();
  // RefuseNext comes after, until nobody waits.
  void Drain();
  void Close(bool run_queued);
  // All queued tasks, in order; they count as withdrawn.
  std::vector<Item> TakeQueued();
  // How things stand after any change: leaves the state in which all is counted one by one as soon
  // as the simple sums hold again.
  void Settle();

  // --- reading

  // Both.
  std::uint64_t queued() const {
    const std::uint64_t unfinished = Unfinished();
    return plain_ ? unfinished - std::min<std::uint64_t>(unfinished, limits_.workers)
                  : unfinished - active();
  }
  // Taking.
  std::uint64_t active() const {
    if (plain_) return std::min<std::uint64_t>(Unfinished(), limits_.workers);
    return started_ - finished_.load(std::memory_order_relaxed);
  }
  // Both.
  bool Idle() const { return active() == 0 && (queued() == 0 || !run_queued_); }
  bool closed() const { return closed_; }
  // Any lock.
  const PoolLimits& limits() const { return limits_; }
  // So many may be unfinished.
  std::uint64_t bound() const { return bound_; }
  // When there is room, and so little left in the queue that a sleeping poster should be woken: a
  // quarter, but enough to be busy with until it comes.
  std::uint64_t low() const {
    constexpr std::uint64_t kUntilItComes = 50;
    const std::uint64_t capacity = std::min(limits_.capacity, bound_);
    const std::uint64_t left = std::max(capacity / 4, std::min(capacity / 2, kUntilItComes));
    return std::min(bound_ - 1, limits_.workers + left);
  }
  // When half the queue is empty, and there is room.
  std::uint64_t half() const {
    return std::min(bound_ - 1, bound_ - std::min(limits_.capacity, bound_) / 2);
  }

  // Both, after ServeNext.
  PoolStats Read() const;

 private:
  static constexpr std::uint32_t kNoNumber = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint64_t kFirstRing = 64;
  // A slot is fetched from the other side's core while so many before it are used.
  static constexpr std::uint64_t kAhead = 2;

  struct Fields {
    explicit Fields(Item&& the_item)
        : item(std::move(the_item)), offered_at(Platform::CoarseNow()) {}
    Item item;
    SteadyTime offered_at;
    std::uint32_t number = kNoNumber;  // given when it started, if that was counted
  };
  // A power of two in size, so that it lies in no more lines of the cache than it must.
  static constexpr std::size_t kSlotSize = std::bit_ceil(sizeof(Fields));
  struct alignas(kSlotSize <= 64 ? kSlotSize : alignof(Fields)) Slot : Fields {
    using Fields::Fields;
  };

  static std::uint64_t Bound(const PoolLimits& limits) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
    return std::min(limits.capacity, kMost) + limits.workers;
  }

  std::uint64_t Unfinished() const {
    return tail_.load(std::memory_order_acquire) - finished_.load(std::memory_order_relaxed);
  }

  // Up to which position tasks have started.
  std::uint64_t TakeLimit() const {
    return plain_ ? finished_.load(std::memory_order_relaxed) + limits_.workers : started_;
  }

  bool MayStart() const { return !paused_ && run_queued_ && active() < limits_.workers; }

  bool HasRoom() const {
    if (plain_) return Unfinished() < bound_;
    return queued() < limits_.capacity || (queued() == 0 && MayStart());
  }

  void Accept(Item& item);

  void Put(Item& item, std::uint64_t tail) {
    ring_.Prefetch(tail + kAhead);
    ring_.Put(tail, std::move(item));
    tail_.store(tail + 1, std::memory_order_seq_cst);
  }

  Offered Refuse(Refusal why) {
    CountRefused(why);
    return {.refusal = why};
  }

  // An old `finished` only overestimates: then look again.
  void RaisePlainPeaks(std::uint64_t tail);
  // No peak rises while no more than this is unfinished.
  void SetPeakMark() {
    peak_mark_ = active_peak_ < limits_.workers ? active_peak_ : limits_.workers + queued_peak_;
  }

  // Leaves the plain state: from now on what starts is counted, and has its number from then on.
  void CountStarted();

  // Taking, not plain.
  void StartQueued();

  std::uint32_t NumberFor(const Slot& slot, std::optional<std::uint32_t> number);

  template <typename T>
  using Atomic = typename Platform::template Atomic<T>;

  // Written under both locks.
  FifoRing<Slot> ring_;
  PoolLimits limits_;
  std::uint64_t bound_;
  bool plain_ = true;
  bool paused_ = false;
  bool draining_ = false;
  bool closed_ = false;
  bool run_queued_ = true;  // false: closed, and what is queued stays there
  std::uint64_t withdrawn_ = 0;

  // Posting; `tail_` is read by all.
  alignas(64) Atomic<std::uint64_t> tail_{0};  // accepted and not withdrawn
  alignas(64) std::uint64_t seen_finished_ = 0;
  std::uint64_t seen_head_ = 0;
  std::uint64_t peak_mark_ = 0;
  std::uint64_t queued_peak_ = 0;
  std::uint64_t active_peak_ = 0;
  FifoWaiters<Waiter> waiters_;
  std::array<std::uint64_t, kRefusals> refused_{};

  // Taking; the atomics are read by posters.
  alignas(64) AdaptiveLock<Platform> taking_;
  Atomic<std::uint64_t> head_{0};
  Atomic<std::uint64_t> finished_{0};
  std::uint64_t seen_tail_ = 0;
  std::uint64_t started_ = 0;  // while not plain
  WorkerNumbers numbers_;
};

}  // namespace workpool

#include "pool/fifo_rules.h"
