// A deadline, a withdrawal or a stop that comes just as a post is accepted: one outcome, the same
// for all.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <random>
#include <thread>
#include <vector>

#include "fakes/scripted_task.h"
#include "pool/thread_pool.h"
#include "unit/pool/gate.h"
#include "unit/pool/tally.h"
#include "unit/pool/tested_pool.h"

namespace workpool {
namespace {

// Case 31, as far as it concerns the pool.
TEST(WithdrawalTest, AThousandQueuedTasksCanBeWithdrawnAndTheirPlacesAreFreeAtOnce) {
  Gate gate;
  ScriptedTask active([&](Place) {
    EXPECT_TRUE(gate.Pass());
    return RunStatus::kFinished;
  });
  std::deque<ScriptedTask> queued(1000);
  ThreadPool pool("cancel", {.workers = 1, .capacity = 1000});
  pool.Offer(active, WhenFull::kReject);
  for (ScriptedTask& task : queued) {
    EXPECT_EQ(pool.Offer(task, WhenFull::kReject).verdict, Verdict::kQueued);
  }
  OnThreads(4, [&](int thread) {
    for (std::size_t i = static_cast<std::size_t>(thread); i < queued.size(); i += 4) {
      EXPECT_TRUE(pool.Withdraw(queued[i]));
    }
  });
  EXPECT_EQ(pool.Read().queued, 0u);
  EXPECT_EQ(pool.Read().withdrawn, 1000u);
  gate.Open();
  pool.Close(true);
  EXPECT_TRUE(pool.Join(InTime()));
  for (const ScriptedTask& task : queued) EXPECT_EQ(task.runs, 0);
}

// Withdrawing races with running: a task is either withdrawn or run, never both or neither.
TEST(WithdrawalTest, ATaskIsEitherWithdrawnOrRun) {
  ThreadPool pool("race", {.workers = 2, .capacity = 4});
  OnThreads(3, [&](int) {
    for (int i = 0; i < 2000; ++i) {
      ScriptedTask task;
      if (pool.Offer(task, WhenFull::kReject).verdict == Verdict::kRefused) continue;
      const bool withdrawn = pool.Withdraw(task);
      EXPECT_TRUE(withdrawn || Eventually([&] { return task.runs == 1; }));
      EXPECT_EQ(task.runs, withdrawn ? 0 : 1);
    }
  });
  pool.Close(true);
  EXPECT_TRUE(pool.Join(InTime()));
  ExpectAtRest(pool.Read());
}

class PoolRacesTest : public BothKindsTest {};
WORKPOOL_TEST_BOTH_KINDS(PoolRacesTest);

// A post whose deadline comes just as it is accepted has one outcome, the same for all.
TEST_P(PoolRacesTest, GivingUpAsTheAcceptanceComesHasOneOutcome) {
  std::atomic<std::uint64_t> ran = 0;
  Tally tally;
  TestedPool pool({.workers = 1, .capacity = 0});
  OnThreads(4, [&](int thread) {
    std::mt19937 random(static_cast<unsigned>(thread));
    for (int i = 0; i < 4000; ++i) {
      const auto patience = std::chrono::nanoseconds(random() % 30'000);
      tally.Count(
          pool.Post([&](Worker&) { ++ran; }, {}, std::chrono::steady_clock::now() + patience));
    }
  });
  pool.Stop(kForEver);
  tally.ExpectSameAs(pool.Read());
  EXPECT_EQ(ran, tally.accepted);
}

// What is told accepted just as the grace ends has run or is counted as dropped.
TEST_P(PoolRacesTest, PostsThatRaceWithAnImpatientStopHaveRunOrAreCountedAsDropped) {
  for (int round = 0; round < 150; ++round) {
    std::atomic<std::uint64_t> ran = 0;
    std::atomic<bool> stopped = false;
    Tally tally;
    std::uint64_t dropped = 0;
    {
      TestedPool pool({.workers = 1, .capacity = 2});
      std::vector<std::jthread> posters;
      for (int i = 0; i < 3; ++i) {
        posters.emplace_back([&] {
          while (!stopped) tally.Count(pool.Post([&](Worker&) { ++ran; }));
        });
      }
      EXPECT_TRUE(Eventually([&] { return ran > 5; }));
      dropped = pool.Stop(std::chrono::nanoseconds(0)).dropped;
      stopped = true;
    }
    ASSERT_EQ(ran + dropped, tally.accepted) << "round " << round;
  }
}

// Case 32: every post that raced with a shutdown has run, or was refused as draining.
TEST_P(PoolRacesTest, PostsThatRaceWithStopHaveRunOrAreRefused) {
  for (int round = 0; round < 1000; ++round) {
    std::atomic<std::uint64_t> ran = 0;
    Tally tally;
    {
      TestedPool pool({.workers = 2, .capacity = static_cast<std::uint64_t>(round % 3)});
      Gate posting;
      posting.Open();
      std::vector<std::jthread> posters;
      for (int i = 0; i < 2; ++i) {
        posters.emplace_back([&] {
          posting.Pass();
          for (int post = 0; post < 10; ++post) {
            tally.Count(pool.Post([&](Worker&) { ++ran; }));
          }
        });
      }
      EXPECT_TRUE(posting.AwaitArrivals(1 + round % 2));
      EXPECT_EQ(pool.Stop(kForEver).dropped, 0u);
      posters.clear();
      tally.ExpectSameAs(pool.Read());
    }
    ASSERT_EQ(ran, tally.accepted);
    ASSERT_EQ(tally.accepted + tally.refused[static_cast<std::size_t>(Refusal::kDraining)], 20u);
  }
}

}  // namespace
}  // namespace workpool
