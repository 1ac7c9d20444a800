// FifoPool: what is called from outside. Included by fifo_pool.h alone.
#pragma once

#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>

#include "pool/fifo_pool.h"

namespace workpool {

template <typename Item, typename Run, typename Platform>
FifoPool<Item, Run, Platform>::FifoPool(std::string name, const PoolLimits& limits,
                                        const ThreadBounds& threads, Run run)
    : name_(std::move(name)), run_(std::move(run)), admission_(limits) {
  take_.Lock();
  crew_.SetBounds(threads);
  Thread& first = Hire();
  take_.Unlock();
  Start(first);
  if (threads_started() == 0) {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                            "the first thread of pool " + name_);
  }
}

template <typename Item, typename Run, typename Platform>
FifoPool<Item, Run, Platform>::~FifoPool() {
  Close(false);
  Join(SteadyTime::max());
}

// --- posting --------------------------------------------------------------------------------

template <typename Item, typename Run, typename Platform>
auto FifoPool<Item, Run, Platform>::TryPost(Item& item) -> Posted {
  post_.Lock();
  const auto answer = admission_.OfferPlain(item);
  if (answer == Admission::Plain::kFull) admission_.CountRefused(Refusal::kQueueFull);
  post_.Unlock();
  if (answer == Admission::Plain::kFull) return std::unexpected(Refusal::kQueueFull);
  if (answer == Admission::Plain::kOther) return OfferSlowly(item);
  if (need_.load(std::memory_order_seq_cst)) WakeForPost();
  return {};
}

template <typename Item, typename Run, typename Platform>
auto FifoPool<Item, Run, Platform>::OfferSlowly(Item& item) -> Posted {
  Errands errands;
  Enter();
  ServeWaiters(errands);
  const auto offered = admission_.Offer(item, nullptr);
  Leave(errands);
  if (!offered.accepted) return std::unexpected(offered.refusal);
  return {};
}

template <typename Item, typename Run, typename Platform>
auto FifoPool<Item, Run, Platform>::Post(Item& item, std::optional<SteadyTime> deadline,
                                         const std::stop_token& stop) -> Posted {
  post_.Lock();
  const auto answer = admission_.OfferPlain(item);
  post_.Unlock();
  if (answer == Admission::Plain::kAccepted) {
    if (need_.load(std::memory_order_seq_cst)) WakeForPost();
    return {};
  }
  Waiter waiter(item);
  Errands errands;
  Enter();
  ServeWaiters(errands);
  const auto offered = admission_.Offer(item, &waiter);
  waiter.first = admission_.FirstWaiter() == &waiter;
  Leave(errands);
  if (offered.accepted) return {};
  if (!offered.waits) return std::unexpected(offered.refusal);
  if (AwaitRoom(waiter, {deadline.value_or(SteadyTime::max()), stop})) return {};
  return std::unexpected(waiter.refusal);
}

// --- waiting for room -----------------------------------------------------------------------

// True: accepted; else the waiter's `refusal` says why not. The first of those that wait spins,
// then sleeps until half the queue is empty, so that it is not woken for each place; if that does
// not come soon, until there is any room.
template <typename Item, typename Run, typename Platform>
bool FifoPool<Item, Run, Platform>::AwaitRoom(Waiter& waiter, const Patience& patience) {
  const std::stop_callback cancel(patience.stop, [&waiter] {
    waiter.called.store(1, std::memory_order_release);
    Platform::WakeOne(&waiter.called);
  });
  bool any_room = false;
  bool spun = false;
  for (;;) {
    if (waiter.first && !std::exchange(spun, true)) SpinForRoom(waiter);
    if (!SleepForRoom(waiter, patience, any_room)) break;
    any_room = waiter.first && spun;
  }
  return waiter.state == Waiter::State::kAccepted;
}

// False: the wait has ended one way or the other.
template <typename Item, typename Run, typename Platform>
bool FifoPool<Item, Run, Platform>::SleepForRoom(Waiter& waiter, const Patience& patience,
                                                 bool any_room) {
  Errands errands;
  Enter();
  poster_called_ = false;
  ServeWaiters(errands, &waiter);
  const SteadyTime now = Platform::Now();
  const bool cancelled = patience.stop.stop_requested();
  if (waiter.state == Waiter::State::kWaits && (cancelled || now >= patience.deadline)) {
    const bool late = now >= patience.deadline;
    admission_.GiveUp(waiter, late ? Refusal::kWaitTimeout : Refusal::kCancelled);
    if (sleeper_ == &waiter) sleeper_ = nullptr;
    if (Waiter* next = admission_.FirstWaiter()) CallWaiter(*next, errands);
  }
  if (waiter.state != Waiter::State::kWaits) {
    Leave(errands);
    return false;
  }
  SteadyTime until = patience.deadline;
  waiter.called.store(0, std::memory_order_relaxed);
  const bool was_first = std::exchange(waiter.first, admission_.FirstWaiter() == &waiter);
  if (waiter.first) {
    sleeper_ = &waiter;
    call_at_ = any_room ? admission_.bound() - 1 : admission_.low();
    if (!any_room) until = std::min(until, now + kAwaitHalf);
  }
  Leave(errands);
  const bool to_spin = waiter.first && !was_first;
  if (!to_spin && !patience.stop.stop_requested()) Platform::Wait(waiter.called, 0, until);
  return true;
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::SpinForRoom(const Waiter& waiter) {
  if (!Platform::SpinPays()) return;
  post_.Lock();
  const bool may = post_spin_.Take();
  const std::uint64_t half = admission_.half();
  const auto longest = admission_.limits().capacity == 0 ? kHandOffSpin : kPosterSpin;
  post_.Unlock();
  if (!may) return;
  const bool seen = SeesRoom(waiter, half, longest);
  post_.Lock();
  seen ? post_spin_.Succeeded() : post_spin_.Failed();
  post_.Unlock();
}

// Gives up early when jobs are seen to take their time.
template <typename Item, typename Run, typename Platform>
bool FifoPool<Item, Run, Platform>::SeesRoom(const Waiter& waiter, std::uint64_t half,
                                             std::chrono::nanoseconds longest) const {
  const std::uint64_t finished = admission_.LooksFinished();
  const SteadyTime start = Platform::Now();
  for (;;) {
    Platform::Pause();
    if (waiter.called.load(std::memory_order_relaxed) != 0) return true;
    if (admission_.LooksUnfinished() <= half) return true;
    const auto progress = static_cast<std::int64_t>(admission_.LooksFinished() - finished);
    const auto spun = Platform::Now() - start;
    if (spun >= longest) return false;
    if (spun > kPosterLooks && progress > 0 && spun > progress * kShortJob) return false;
  }
}

// --- both locks -----------------------------------------------------------------------------

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Enter() {
  post_.Lock();
  take_.Lock();
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Leave(Errands& errands) {
  NotifyQuiet(errands);
  LeaveUnchanged(errands);
}

// Nothing is new for those who wait for quiet.
template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::LeaveUnchanged(Errands& errands) {
  SeeToWork(errands);
  take_.Unlock();
  post_.Unlock();
  Do(errands);
}

// Lets in those for whom there is room; `self` is awake anyway.
template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::ServeWaiters(Errands& errands, const Waiter* self) {
  bool served = false;
  admission_.Settle();
  while (Waiter* waiter = admission_.ServeNext()) {
    served = true;
    if (sleeper_ == waiter) sleeper_ = nullptr;
    if (waiter != self) CallWaiter(*waiter, errands);
  }
  if (!served) return;
  if (Waiter* first = admission_.FirstWaiter()) CallWaiter(*first, errands);
}

template <typename Item, typename Run, typename Platform>
template <typename Change>
void FifoPool<Item, Run, Platform>::Control(Change change) {
  Errands errands;
  Enter();
  ServeWaiters(errands);
  change(errands);
  ServeWaiters(errands);
  Leave(errands);
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Resize(const PoolLimits& limits) {
  Control([&](Errands& errands) REQUIRES(take_) {
    admission_.Resize(limits);
    CallThreads(errands);
  });
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Pause() {
  Control([&](Errands&) REQUIRES(take_) { admission_.Pause(); });
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Resume() {
  Control([&](Errands&) REQUIRES(take_) { admission_.Resume(); });
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Drain() {
  Control([&](Errands& errands) REQUIRES(take_) {
    admission_.Drain();
    while (Waiter* waiter = admission_.RefuseNext()) CallWaiter(*waiter, errands);
  });
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Close(bool run_queued) {
  Control([&](Errands& errands) REQUIRES(take_) {
    admission_.Close(run_queued);
    while (Waiter* waiter = admission_.RefuseNext()) CallWaiter(*waiter, errands);
  });
}

template <typename Item, typename Run, typename Platform>
std::vector<Item> FifoPool<Item, Run, Platform>::TakeQueued() {
  std::vector<Item> taken;
  Control([&](Errands&) REQUIRES(take_) { taken = admission_.TakeQueued(); });
  return taken;
}

template <typename Item, typename Run, typename Platform>
PoolStats FifoPool<Item, Run, Platform>::Read() {
  PoolStats stats;
  Control([&](Errands&) REQUIRES(take_) { stats = admission_.Read(); });
  return stats;
}

// --- waiting for quiet ----------------------------------------------------------------------

template <typename Item, typename Run, typename Platform>
template <typename Holds>
bool FifoPool<Item, Run, Platform>::Await(SteadyTime deadline, Holds holds) {
  for (bool late = false;; late = Platform::Now() >= deadline) {
    Errands errands;
    Enter();
    ServeWaiters(errands);
    const bool held = holds();
    const std::uint32_t seen = quiet_.load(std::memory_order_relaxed);
    if (!held && !late) ++quiet_waiters_;
    LeaveUnchanged(errands);
    if (held || late) return held;
    Platform::Wait(quiet_, seen, deadline);
    take_.Lock();
    --quiet_waiters_;
    take_.Unlock();
  }
}

template <typename Item, typename Run, typename Platform>
bool FifoPool<Item, Run, Platform>::AwaitIdle(SteadyTime deadline) {
  return Await(deadline, [&]() REQUIRES(take_) { return admission_.Idle(); });
}

template <typename Item, typename Run, typename Platform>
bool FifoPool<Item, Run, Platform>::AwaitOthers(SteadyTime deadline) {
  return Await(deadline, [&]() REQUIRES(take_) { return admission_.active() <= bystanders_; });
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::AddBystander() {
  Control([&](Errands&) REQUIRES(take_) { ++bystanders_; });
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::RemoveBystander() {
  Control([&](Errands&) REQUIRES(take_) { --bystanders_; });
}

// First everything that was started is to be handed back, then the threads are told to end.
template <typename Item, typename Run, typename Platform>
bool FifoPool<Item, Run, Platform>::Join(SteadyTime deadline) {
  WORKPOOL_CHECK(!OnOwnThread());
  if (!AwaitIdle(deadline)) return false;
  Control([&](Errands& errands) REQUIRES(take_) {
    WORKPOOL_CHECK(admission_.closed());
    stopping_ = true;
    CallThreads(errands);
  });
  if (!Await(deadline, [&]() REQUIRES(take_) { return crew_.alive() == 0; })) return false;
  take_.Lock();
  const auto last = crew_.TakeEnded();
  take_.Unlock();
  if (last) Platform::Join(*last);
  return true;
}

// --- threads --------------------------------------------------------------------------------

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::SetThreadBounds(const ThreadBounds& bounds) {
  Control([&](Errands& errands) REQUIRES(take_) {
    crew_.SetBounds(bounds);
    CallThreads(errands);
  });
}

template <typename Item, typename Run, typename Platform>
std::uint64_t FifoPool<Item, Run, Platform>::threads_started() {
  take_.Lock();
  const std::uint64_t started = crew_.started();
  take_.Unlock();
  return started;
}

template <typename Item, typename Run, typename Platform>
std::uint64_t FifoPool<Item, Run, Platform>::threads() {
  take_.Lock();
  const std::uint64_t alive = crew_.alive();
  take_.Unlock();
  return alive;
}

}  // namespace workpool
