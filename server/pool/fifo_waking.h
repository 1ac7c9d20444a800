// FifoPool: who looks for work. Included by fifo_pool.h alone.
//
// No wake is lost:
// - A poster publishes its task, then reads `need_`; a thread that will not look again publishes
//   `need_`, then reads the tail. All four are sequentially consistent, so one of the two sees the
//   other.
// - `need_` is false only while somebody is obliged to look, or nobody is left to be woken or
//   started. A searcher looks under `take_` before it sleeps or runs a task, and when it stops
//   being one it publishes the need and looks once more (Sleep, HandOver, Work's end). One that
//   spins is a searcher as soon as it has `take_` again. The watcher looks again in a while; it
//   counts only beside a busy thread, so that nobody waits for its timer alone.
// - Everything else that makes a task takable holds `take_` and ends with SeeToWork.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "pool/fifo_pool.h"

namespace workpool {

template <typename Item, typename Run, typename Platform>
bool FifoPool<Item, Run, Platform>::Obliged() const {
  return searching_ || spinners_ > 0 || (watcher_ != nullptr && Busy() > 0);
}

// Threads that are neither asleep nor watching.
template <typename Item, typename Run, typename Platform>
std::uint64_t FifoPool<Item, Run, Platform>::Busy() const {
  return crew_.alive() - crew_.idle() - (watcher_ != nullptr ? 1 : 0);
}

template <typename Item, typename Run, typename Platform>
std::uint64_t FifoPool<Item, Run, Platform>::MostThreads() const {
  return std::min<std::uint64_t>(admission_.places(), crew_.bounds().max);
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::PublishNeed() {
  const bool need = !Obliged() && (crew_.idle() > 0 || crew_.alive() < MostThreads());
  if (need != need_.load(std::memory_order_relaxed)) {
    need_.store(need, std::memory_order_seq_cst);
  }
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Search(Thread& thread, bool woken) {
  thread.searching = searching_ = true;
  thread.woken = woken;
  if (!woken) return;
  thread.called_at = Platform::Now();
  thread.taken_then = admission_.taken();
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::StopSearching(Thread& thread) {
  if (std::exchange(thread.searching, false)) searching_ = false;
  thread.woken = false;
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Summon(int count, Errands& errands) {
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (Thread* thread = crew_.PopIdle()) {
      Search(*thread, true);
      errands.wake.at(at) = &thread->called;
    } else if (crew_.alive() < MostThreads()) {
      errands.start.at(at) = &Hire();
    } else {
      break;
    }
    errands.any = true;
  }
  PublishNeed();
}

template <typename Item, typename Run, typename Platform>
auto FifoPool<Item, Run, Platform>::Hire() -> Thread& {
  Thread& thread = crew_.Hire();
  thread.pool = this;
  thread.spin = {};
  Search(thread, true);
  return thread;
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::SeeToWork(Errands& errands) {
  if (!Obliged() && admission_.CanTakeNow()) Summon(1, errands);
  PublishNeed();
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::WakeForPost() {
  Errands errands;
  take_.Lock();
  SeeToWork(errands);
  Unlock(errands);
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Finish(Place place) {
  Errands errands;
  take_.Lock();
  if (const auto number = admission_.Finish(place)) admission_.ReturnNumber(*number);
  AfterFinish(errands);
  SeeToWork(errands);
  Unlock(errands);
}

// Calls the poster that sleeps until there is room, and those who wait until little is active.
template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::AfterFinish(Errands& errands) {
  if (sleeper_ != nullptr && admission_.HasRoomAt(call_at_)) CallWaiter(*sleeper_, errands);
  if (quiet_waiters_ > 0) NotifyQuiet(errands);
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::NotifyQuiet(Errands& errands) {
  if (quiet_waiters_ == 0 || admission_.active() > bystanders_) return;
  quiet_.fetch_add(1, std::memory_order_release);
  errands.quiet = errands.any = true;
}

// A waiting poster, to look again.
template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::CallWaiter(Waiter& waiter, Errands& errands) {
  if (sleeper_ == &waiter) sleeper_ = nullptr;
  poster_called_ = admission_.limits().capacity > 0;
  waiter.called.store(1, std::memory_order_release);
  errands.any = true;
  if (errands.call == nullptr) {
    errands.call = &waiter.called;
  } else {
    errands.calls.push_back(&waiter.called);
  }
}

// Calls all threads that sleep or watch, so that they look at what has changed.
template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::CallThreads(Errands& errands) {
  errands.any = true;
  crew_.CallIdle([&errands](Thread& thread) { errands.calls.push_back(&thread.called); });
  if (watcher_ == nullptr) return;
  watcher_->called.store(1, std::memory_order_release);
  errands.calls.push_back(&watcher_->called);
}

// --- with the locks free --------------------------------------------------------------------

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Unlock(Errands& errands) {
  take_.Unlock();
  Do(errands);
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Do(Errands& errands) {
  if (!errands.any) return;
  Errands todo = std::exchange(errands, {});
  for (const Word* word : todo.wake) {
    if (word != nullptr) Platform::WakeOne(word);
  }
  if (todo.call != nullptr) Platform::WakeOne(todo.call);
  for (const Word* word : todo.calls) Platform::WakeOne(word);
  for (Thread* thread : todo.start) {
    if (thread != nullptr) Start(*thread);
  }
  if (todo.quiet) Platform::WakeAll(&quiet_);
}

template <typename Item, typename Run, typename Platform>
void FifoPool<Item, Run, Platform>::Start(Thread& thread) {
  constexpr std::chrono::milliseconds kLongest{100};
  for (std::chrono::milliseconds pause{1};; pause = std::min(pause * 2, kLongest)) {
    const int error = Platform::Start(Main, &thread);
    if (error == 0 || !StartFailed(thread, error)) return;
    Platform::Sleep(pause);
  }
}

// True: there is no other thread to do the work that is there, so it has to be tried again. Else
// one that has gone to sleep since relied on this one to look, and has to do so instead.
template <typename Item, typename Run, typename Platform>
bool FifoPool<Item, Run, Platform>::StartFailed(Thread& thread, int error) {
  Errands errands;
  const std::string name = name_;  // the pool may be gone by the time that it is told
  take_.Lock();
  const bool first_failure = !std::exchange(start_failed_, true);
  const bool again = crew_.alive() == 1 && admission_.CanTakeNow();
  if (!again) {
    StopSearching(thread);
    crew_.NotStarted(thread);
    if (crew_.idle() > 0) SeeToWork(errands);
    PublishNeed();
    if (stopping_) NotifyQuiet(errands);
  }
  Unlock(errands);
  if (first_failure) {
    Log(LogLevel::kWarn, "cannot start a worker thread; the running ones go on",
        {{"pool", std::string_view(name)}, {"error", std::string_view(std::strerror(error))}});
  }
  return again;
}

}  // namespace workpool
