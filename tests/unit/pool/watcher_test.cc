// The thread that watches while tasks are short is called when they are not any more. What it would
// find by itself a millisecond later is no proof: here its timer does not ring while a test holds
// it.
#include <gtest/gtest.h>

#include <atomic>

#include "fakes/scripted_task.h"
#include "pool/system_platform.h"
#include "pool/thread_pool.h"
#include "unit/pool/gate.h"

namespace workpool {

// The linker lets the pool call the first where it calls SystemPlatform::Wait, which is the second.
void WaitOfThePool(SystemPlatform::Word& word, std::uint32_t expected,
                   SteadyTime until) asm("__wrap_" WORKPOOL_WAIT_SYMBOL);
void SystemWait(SystemPlatform::Word& word, std::uint32_t expected,
                SteadyTime until) asm("__real_" WORKPOOL_WAIT_SYMBOL);

namespace {

std::atomic<bool> hold_timers = false;
std::atomic<int> held = 0;

ScriptedTask::Script PassThrough(Gate& gate) {
  return [&gate](Place) {
    EXPECT_TRUE(gate.Pass());
    return RunStatus::kFinished;
  };
}

TEST(WatcherTest, IsCalledForATaskThatMayBlockWhicheverThreadTakesIt) {
  Gate first, brief_gate, blocked;
  ScriptedTask blocking(PassThrough(first)), brief(PassThrough(brief_gate));
  ScriptedTask next(PassThrough(blocked)), behind(PassThrough(blocked));
  brief.brief = true;
  ThreadPool pool("watch", {.workers = 10, .capacity = 0});
  pool.Offer(blocking, WhenFull::kReject);
  ASSERT_TRUE(first.AwaitArrivals(1));
  pool.Offer(brief, WhenFull::kReject);
  ASSERT_TRUE(brief_gate.AwaitArrivals(1));

  // A third thread watches the brief task instead of taking these two.
  held = 0;
  hold_timers = true;
  pool.Offer(next, WhenFull::kReject);
  ASSERT_TRUE(Eventually([] { return held == 1; }));
  pool.Offer(behind, WhenFull::kReject);
  hold_timers = false;

  first.Open();  // the first thread, whose tasks were never brief, takes the next
  EXPECT_TRUE(blocked.AwaitArrivals(2)) << "nobody has called the watcher";
  brief_gate.Open();
  blocked.Open();
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
}

}  // namespace

void WaitOfThePool(SystemPlatform::Word& word, std::uint32_t expected, SteadyTime until) {
  if (until != SteadyTime::max() && hold_timers) {
    ++held;
    until = SteadyTime::max();
  }
  SystemWait(word, expected, until);
}

}  // namespace workpool
