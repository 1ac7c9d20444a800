// What a ThreadPool knows of each of its threads. Included by its own sources alone.
#pragma once

#include <chrono>
#include <cstdint>

#include "pool/thread_pool.h"

namespace workpool {

struct ThreadPool::Thread : CrewMember<SystemPlatform> {
  // What it had done by an instant.
  struct Mark {
    SteadyTime at = {};
    std::chrono::nanoseconds cpu{0};
    std::uint64_t done = 0;
  };
  Mark MarkNow() const { return {SystemPlatform::Now(), SystemPlatform::CpuTime(clock), done}; }

  // The tasks that it has taken since were short: thread_pool_watching.cc.
  bool ShortSince(const Mark& then) const;

  ThreadPool* pool = nullptr;
  // Guarded by the pool's mutex:
  SystemPlatform::CpuClock clock = CLOCK_THREAD_CPUTIME_ID;  // its own
  std::uint64_t done = 0;                                    // tasks taken and posts told
  Mark looked;             // when it looked last whether its tasks are short
  bool searching = false;  // it holds `searching_`
  bool woken = false;      // by somebody who saw work, and has not looked for it yet
  bool in_task = false;
  bool in_brief_task = false;
  bool brief = false;  // the task that it took last
};

}  // namespace workpool
