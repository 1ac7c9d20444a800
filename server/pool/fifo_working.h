// FifoPool: what a worker's thread does. Included by fifo_pool.h alone.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "pool/fifo_pool.h"

namespace workpool {

template <typename Item, typename Run, typename Platform>
void* FifoPool<Item, Run, Platform>::Main(void* thread) {
  auto& me = *static_cast<Thread*>(thread);
  Platform::Owner() = me.pool;
  me.pool->Work(me);
  return nullptr;
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Work(Thread& me) {
  Platform::NameThread(name_);
  Errands errands;
  take_.Lock();
  start_failed_ = false;
  const std::size_t touch_stack = crew_.bounds().touch_stack;
  if (touch_stack > 0) {
    take_.Unlock();
    Platform::TouchStack(touch_stack);
    take_.Lock();
  }
  do {
    RunTasks(me, errands);
  } while (AwaitWork(me, errands));
  StopSearching(me);
  const auto ended_before = crew_.End(me);
  SeeToWork(errands);
  NotifyQuiet(errands);
  Unlock(errands);
  if (ended_before) Platform::Join(*ended_before);
}

// Runs tasks until there is none. A task's place is handed back and the next one taken in one round
// of the lock.
template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::RunTasks(Thread& me, Errands& errands) {
  std::optional<std::uint32_t> number;
  while (admission_.CanTake()) {
    if (me.woken && watcher_ == nullptr && OthersKeepUp(me)) {
      Watch(me, errands);
      continue;
    }
    Place place;
    RunStatus status{};
    {
      auto [item, its_place] = admission_.Take(number);
      place = its_place;
      if (me.searching) HandOver(me, errands);
      Unlock(errands);
      status = run_(item, place);
    }
    take_.Lock();
    number = std::nullopt;
    if (status == RunStatus::kPending) continue;
    number = admission_.Finish(place);
    AfterFinish(errands);
  }
  if (number) admission_.ReturnNumber(*number);
}

// Tasks have been taken since this thread was called, and each thread that runs some has spent at
// most so much on one.
template <typename Item, typename Run, typename Platform>
bool FifoPool<Item, Run, Platform>::TakenAtLeastEvery(std::chrono::nanoseconds time,
                                                      const Thread& me) const {
  const std::uint64_t taken = admission_.taken() - me.taken_then;
  const std::uint64_t runners = std::max<std::uint64_t>(Busy(), 2) - 1;
  const auto spent = (Platform::Now() - me.called_at) * static_cast<std::int64_t>(runners);
  return taken > 0 && spent < time * static_cast<std::int64_t>(taken);
}

// Tasks are so short that a thread more would take the processor of a busy one or of the poster,
// and add to the traffic between them, without much to show for it. A poster that sleeps needs
// none.
template <typename Item, typename Run, typename Platform>
bool FifoPool<Item, Run, Platform>::OthersKeepUp(const Thread& me) const {
  return TakenAtLeastEvery(sleeper_ == nullptr ? kShortJob : kShortJobAlone, me);
}

// The searcher has taken a task, and is obliged to look no more. If there are others, the next is
// to search; if tasks block, two, so that a burst gets its threads soon.
template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::HandOver(Thread& me, Errands& errands) {
  const bool blocking = me.woken && !TakenAtLeastEvery(kBlockingJob, me);
  StopSearching(me);
  PublishNeed();
  if (Obliged() || !admission_.CanTakeNow()) return;
  Summon(blocking && admission_.CanTakeTwo() ? 2 : 1, errands);
}

// While jobs are short a thread more does not help: instead of taking any, looks now and then
// whether that is still so. Ends as the searcher, when it is not or when nothing is left to do.
template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Watch(Thread& me, Errands& errands) {
  StopSearching(me);
  watcher_ = &me;
  PublishNeed();
  for (bool watching = true; watching;) {
    me.called.store(0, std::memory_order_relaxed);
    me.called_at = Platform::Now();
    me.taken_then = admission_.taken();
    Unlock(errands);
    Platform::Wait(me.called, 0, me.called_at + kWatch);
    take_.Lock();
    const bool moved = admission_.taken() != me.taken_then;
    watching = !stopping_ && (admission_.CanTake() ? OthersKeepUp(me) : moved);
  }
  watcher_ = nullptr;
  Search(me, false);
  PublishNeed();
}

// True: there may be something to take, and this thread is the searcher if it was obliged. False:
// it is to end.
template <typename Item, typename Run, typename Platform>
bool FifoPool<Item, Run, Platform>::AwaitWork(Thread& me, Errands& errands) {
  if (stopping_ || crew_.alive() > MostThreads()) return false;
  if (sleeper_ != nullptr && admission_.HasRoomAt(admission_.bound() - 1)) {
    LetWaitersIn(me, errands);
    return true;
  }
  if (MaySpin(me)) {
    SpinForWork(me, errands);
    if (admission_.CanTake()) return true;
  }
  StopSearching(me);
  return Sleep(me, errands);
}

// One at a time; while a poster that was called is on its way, all: it comes with work for them.
template <typename Item, typename Run, typename Platform>
bool FifoPool<Item, Run, Platform>::MaySpin(Thread& me) {
  if (!Platform::SpinPays()) return false;
  const bool others_look = searching_ || spinners_ > 0;
  return (poster_called_ || !others_look) && me.spin.Take();
}

// Before it sleeps it lets in the post that waits for this very room.
template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::LetWaitersIn(Thread& me, Errands& errands) {
  Search(me, false);
  PublishNeed();
  Unlock(errands);
  Enter();
  ServeWaiters(errands);
  Leave(errands);
  take_.Lock();
}

// Where there is a queue it yields: a poster that was woken may wait for this very processor, and
// then fills the queue. In a hand-off it would bring one task for each time that both change
// places. Ends as the searcher.
template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::SpinForWork(Thread& me, Errands& errands) {
  const bool yields = admission_.limits().capacity > 0;
  StopSearching(me);
  ++spinners_;
  PublishNeed();
  Unlock(errands);
  const SteadyTime until = Platform::Now() + kWorkerSpin;
  bool found = false;
  do {
    yields ? Platform::Yield() : Platform::Pause();
    found = !admission_.LooksEmpty();
  } while (!found && Platform::Now() < until);
  take_.Lock();
  --spinners_;
  Search(me, false);
  found ? me.spin.Succeeded() : me.spin.Failed();
}

// False: it was not used for so long, or there are so many, that it is to end.
template <typename Item, typename Run, typename Platform>
bool FifoPool<Item, Run, Platform>::Sleep(Thread& me, Errands& errands) {
  if (stopping_) return false;
  crew_.PushIdle(me);
  PublishNeed();
  if (!Obliged() && admission_.CanTakeNow()) {
    crew_.RemoveIdle(me);
    Search(me, false);
    PublishNeed();
    return true;
  }
  for (;;) {
    const SteadyTime until = crew_.SleepsUntil(me);
    Unlock(errands);
    Platform::Wait(me.called, 0, until);
    take_.Lock();
    if (!me.idle) break;
    const bool unused = until != SteadyTime::max() && crew_.SleepsUntil(me) <= Platform::Now();
    if (unused || stopping_ || crew_.alive() > MostThreads()) {
      crew_.RemoveIdle(me);
      return false;
    }
  }
  return true;
}

}  // namespace workpool
