// What the pools need of the machine: atomics, waiting on a word, the clock, threads. Code that is
// a template over its platform takes this one, or in tests one that explores interleavings.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/clock.h"

namespace workpool {

struct SystemPlatform {
  template <typename T>
  using Atomic = std::atomic<T>;
  using Word = std::atomic<std::uint32_t>;

  // Blocks while `word` is `expected`, until Wake or `until` (SteadyTime::max(): for ever). May
  // return without a reason.
  static void Wait(Word& word, std::uint32_t expected, SteadyTime until);
  // Wakes who waits on the word. Only its address is used, so that it may be gone already; then
  // somebody else may be woken without a reason.
  static void WakeOne(const Word* word);
  static void WakeAll(const Word* word);

  static SteadyTime Now() { return std::chrono::steady_clock::now(); }
  // As Now, but as old as a tick of the system (1 to 10 ms): five times as cheap.
  static SteadyTime CoarseNow();

  // Whether one that spins leaves a processor to those it waits for.
  static bool SpinPays();
  // What a spin does between two looks: about half a microsecond.
  static void Pause();
  // The same, where what it waits for may need this processor.
  static void Yield() { sched_yield(); }
  static constexpr int kLockSpins = 64;  // looks at a taken lock before its waiter sleeps
  static void LockPause();

  using Thread = pthread_t;
  // 0, or what the system refuses with (errno). The thread has to be joined by its Self.
  static int Start(void* (*main)(void*), void* argument);
  static Thread Self() { return pthread_self(); }
  // How much processor time a thread has used, for others to read: 0 once it has ended.
  using CpuClock = clockid_t;
  static CpuClock OwnCpuClock();
  static std::chrono::nanoseconds CpuTime(CpuClock clock);
  static void Join(Thread thread) { pthread_join(thread, nullptr); }
  // Names the calling thread, for debuggers and top; cut to 15 characters.
  static void NameThread(const std::string& name);
  // What the calling thread belongs to: set by its pool.
  static const void*& Owner() {
    thread_local const void* owner = nullptr;
    return owner;
  }
  static void Sleep(std::chrono::nanoseconds time);

  // Makes the pages of the calling thread's stack resident, to this depth or as far as it goes.
  static void TouchStack(std::size_t bytes);
};

}  // namespace workpool
