// How a work pool ends: drain, stop, destruction.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "pool/work_pool.h"
#include "unit/pool/gate.h"
#include "unit/pool/tested_pool.h"

namespace workpool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

SteadyTime Now() { return std::chrono::steady_clock::now(); }

class WorkPoolStopTest : public BothKindsTest {};
WORKPOOL_TEST_BOTH_KINDS(WorkPoolStopTest);

TEST_P(WorkPoolStopTest, DrainRunsWhatIsThereRefusesTheRestAndEndsWithResume) {
  Gate gate;
  TestedPool pool({.workers = 1, .capacity = 5});
  ASSERT_TRUE(pool.TryPost(PassThrough(gate)));
  ASSERT_TRUE(pool.TryPost(Nothing));
  EXPECT_FALSE(pool.Drain(Now()));
  const WorkPool::Posted posted = pool.TryPost(Nothing);
  ASSERT_FALSE(posted);
  EXPECT_EQ(posted.error(), Refusal::kDraining);
  gate.Open();
  EXPECT_TRUE(pool.Drain(In(kHang)));
  EXPECT_EQ(pool.Read().finished, 2u);
  pool.Resume();
  EXPECT_TRUE(pool.TryPost(Nothing));
}

TEST_P(WorkPoolStopTest, AWorkerCannotDrainItsOwnPool) {
  TestedPool pool({.workers = 1, .capacity = 0});
  ASSERT_TRUE(pool.TryPost([&](Worker&) { (void)pool.Drain(In(kHang)); }));
  pool.Stop(kForEver);
  EXPECT_EQ(pool.exceptions(), 1u);
}

TEST_P(WorkPoolStopTest, StopEndsWaitsForRoom) {
  Gate gate;
  TestedPool pool({.workers = 1, .capacity = 0});
  ASSERT_TRUE(pool.TryPost(PassThrough(gate)));
  std::vector<std::jthread> posters;
  for (int i = 0; i < 20; ++i) {
    posters.emplace_back([&] {
      const WorkPool::Posted posted = pool.Post(Nothing);
      ASSERT_FALSE(posted);
      EXPECT_EQ(posted.error(), Refusal::kDraining);
    });
  }
  EXPECT_TRUE(Eventually([&] { return pool.Read().waiting == 20; }));
  std::jthread stopper([&] { pool.Stop(kForEver); });
  posters.clear();
  EXPECT_EQ(pool.Read().waiting, 0u);
  gate.Open();
}

TEST_P(WorkPoolStopTest, WhenGraceIsOverTheRestIsDroppedAndClosuresAreToldToStop) {
  std::atomic<bool> stopped = false;
  Gate started;
  Gate may_end;
  TestedPool pool({.workers = 1, .capacity = 10});
  started.Open();
  ASSERT_TRUE(pool.TryPost([&](Worker& worker) {
    started.Pass();
    stopped = Eventually([&] { return worker.stop_token().stop_requested(); });
    may_end.Pass();
  }));
  auto alive = std::make_shared<int>();
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(pool.TryPost([alive](Worker&) { ADD_FAILURE() << "was to be dropped"; }));
  }
  EXPECT_TRUE(started.AwaitArrivals(1));
  const WorkPool::StopReport report = pool.Stop(seconds(0));
  EXPECT_EQ(report.dropped, 10u);
  EXPECT_EQ(report.running, 1u);
  may_end.Open();
  EXPECT_EQ(alive.use_count(), 1);
  EXPECT_EQ(pool.Read().withdrawn, 10u);
  const WorkPool::StopReport again = pool.Stop(kForEver);
  EXPECT_EQ(again.dropped, 0u);
  EXPECT_EQ(again.running, 0u);
  EXPECT_TRUE(stopped);
}

TEST_P(WorkPoolStopTest, StopLiftsAPauseAndRunsTheQueue) {
  TestedPool pool({.workers = 2, .capacity = 10});
  pool.Pause();
  std::atomic<int> ran = 0;
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(pool.TryPost([&](Worker&) { ++ran; }));
  EXPECT_EQ(pool.Stop(kForEver).dropped, 0u);
  EXPECT_EQ(ran, 10);
}

TEST_P(WorkPoolStopTest, TheDestructorRunsWhatIsQueued) {
  std::atomic<int> ran = 0;
  {
    TestedPool pool({.workers = 3, .capacity = 100});
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(pool.TryPost([&](Worker&) { ++ran; }));
  }
  EXPECT_EQ(ran, 100);
}

// Case 32 and system A: stop called by a closure does not wait for itself.
TEST_P(WorkPoolStopTest, StopFromAClosureReturnsAndWhatIsQueuedRunsAfterwards) {
  std::atomic<int> ran = 0;
  {
    TestedPool pool({.workers = 1, .capacity = 6});
    pool.Pause();
    ASSERT_TRUE(pool.TryPost([&](Worker&) {
      const WorkPool::StopReport report = pool.Stop(kForEver);
      EXPECT_EQ(report.running, 0u);
      EXPECT_FALSE(pool.TryPost(Nothing));
      pool.Stop(kForEver);
    }));
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(pool.TryPost([&](Worker&) { ++ran; }));
    pool.Resume();
    EXPECT_TRUE(Eventually([&] { return pool.Read().finished == 6; }));
  }
  EXPECT_EQ(ran, 5);
}

TEST_P(WorkPoolStopTest, StopFromAClosureWaitsForTheOthersEachTime) {
  Gate gate;
  std::atomic<bool> other_ended = false;
  std::atomic<bool> waiting = false;
  std::atomic<bool> waited = false;
  TestedPool pool({.workers = 2, .capacity = 0});
  ASSERT_TRUE(pool.TryPost([&](Worker&) {
    EXPECT_TRUE(gate.Pass());
    other_ended = true;
  }));
  EXPECT_TRUE(gate.AwaitArrivals(1));
  ASSERT_TRUE(pool.TryPost([&](Worker&) {
    EXPECT_EQ(pool.Stop(seconds(0)).running, 1u);
    waiting = true;
    EXPECT_EQ(pool.Stop(kForEver).running, 0u);
    waited = other_ended.load();
  }));
  EXPECT_TRUE(Eventually([&] { return waiting.load(); }));
  gate.Open();
  pool.Stop(kForEver);
  EXPECT_TRUE(waited);
}

TEST_P(WorkPoolStopTest, WhatAClosureHoldsIsGoneBeforeItsWorkerIsFree) {
  struct Held {
    WorkPool* pool;
    std::atomic<std::uint64_t>* active_at_end;
    ~Held() { *active_at_end = pool->Read().active; }
  };
  std::atomic<std::uint64_t> active_at_end = 0;
  TestedPool pool({.workers = 1, .capacity = 0});
  auto held = std::make_shared<Held>(&pool, &active_at_end);
  ASSERT_TRUE(pool.TryPost([held = std::move(held)](Worker&) {}));
  pool.Stop(kForEver);
  EXPECT_EQ(active_at_end, 1u);
}

TEST_P(WorkPoolStopTest, ClosuresThatAllCallStopDoNotWaitForEachOther) {
  Gate all;
  TestedPool pool({.workers = 4, .capacity = 0});
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(pool.TryPost([&](Worker&) {
      EXPECT_TRUE(all.Pass());
      pool.Stop(kForEver);
    }));
  }
  EXPECT_TRUE(all.AwaitArrivals(4));
  all.Open();
  EXPECT_EQ(pool.Stop(kForEver).running, 0u);
}

TEST_P(WorkPoolStopTest, OfConcurrentStopsTheShortestGraceCounts) {
  Gate gate;
  TestedPool pool({.workers = 1, .capacity = 10});
  ASSERT_TRUE(pool.TryPost(PassThrough(gate)));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(pool.TryPost(Nothing));
  std::atomic<std::uint64_t> dropped = 0;
  std::vector<std::jthread> stoppers;
  for (int i = 0; i < 4; ++i) {
    stoppers.emplace_back(
        [&, i] { dropped += pool.Stop(i == 0 ? std::chrono::nanoseconds(0) : kForEver).dropped; });
  }
  EXPECT_TRUE(Eventually([&] { return dropped == 10; }));
  gate.Open();
  stoppers.clear();
  EXPECT_EQ(dropped, 10u);
  EXPECT_EQ(pool.Read().finished, 1u);
}

TEST_P(WorkPoolStopTest, AClosureMayPostToItsOwnPool) {
  std::atomic<int> ran = 0;
  {
    TestedPool pool({.workers = 2, .capacity = 1000});
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(pool.TryPost([&](Worker&) {
        for (int j = 0; j < 5; ++j) EXPECT_TRUE(pool.TryPost([&](Worker&) { ++ran; }));
      }));
    }
    EXPECT_TRUE(Eventually([&] { return ran == 500; }));
  }
}

}  // namespace
}  // namespace workpool
