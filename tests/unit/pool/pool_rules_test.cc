// The rules of docs/admission.md under many threads: what clients count is what the pool counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <random>
#include <thread>
#include <tuple>
#include <vector>

#include "fakes/scripted_task.h"
#include "pool/thread_pool.h"
#include "pool/work_pool.h"
#include "unit/pool/gate.h"
#include "unit/pool/tested_pool.h"

namespace workpool {
namespace {

using std::chrono::microseconds;

void Nothing(Worker&) {}

// What the posters were told, all of them together.
struct Tally {
  std::atomic<std::uint64_t> accepted = 0;
  std::array<std::atomic<std::uint64_t>, kRefusals> refused{};

  void Count(const WorkPool::Posted& posted) {
    posted ? ++accepted : ++refused[static_cast<std::size_t>(posted.error())];
  }
  void ExpectSameAs(const PoolStats& stats) const {
    EXPECT_EQ(stats.accepted, accepted);
    for (std::size_t why = 0; why < kRefusals; ++why) {
      EXPECT_EQ(stats.refused[why], refused[why]) << "refusal " << why;
    }
  }
};

void ExpectAtRest(const PoolStats& stats) {
  EXPECT_EQ(stats.queued, 0u);
  EXPECT_EQ(stats.queued_bytes, 0u);
  EXPECT_EQ(stats.active, 0u);
  EXPECT_EQ(stats.waiting, 0u);
  EXPECT_EQ(stats.waiting_bytes, 0u);
  EXPECT_EQ(stats.accepted, stats.finished + stats.withdrawn);
}

// Runs `body` on so many threads, which begin together.
void OnThreads(int count, const std::function<void(int)>& body) {
  Gate start;
  std::vector<std::jthread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      EXPECT_TRUE(start.Pass());
      body(i);
    });
  }
  EXPECT_TRUE(start.AwaitArrivals(count));
  start.Open();
}

struct Size {
  std::uint32_t workers;
  std::uint64_t capacity;
};

class ExactnessTest : public testing::TestWithParam<std::tuple<Kind, Size>> {
 protected:
  void SetUp() override { BothKindsTest::kind = std::get<Kind>(GetParam()); }
  const Size size = std::get<Size>(GetParam());
};

TEST_P(ExactnessTest, WithAllWorkersBusyExactlyTheCapacityIsAccepted) {
  Gate gate;
  TestedPool pool({.workers = size.workers, .capacity = size.capacity});
  Tally tally;
  for (std::uint32_t i = 0; i < size.workers; ++i) {
    tally.Count(pool.TryPost([&](Worker&) { EXPECT_TRUE(gate.Pass()); }));
  }
  EXPECT_EQ(tally.accepted, size.workers);
  OnThreads(64, [&](int) {
    for (int i = 0; i < 50; ++i) tally.Count(pool.TryPost(Nothing));
  });
  EXPECT_EQ(tally.accepted, size.workers + size.capacity);
  EXPECT_EQ(pool.Read().queued, size.capacity);
  EXPECT_EQ(pool.Read().active, size.workers);
  gate.Open();
  pool.Stop(kForEver);
  tally.ExpectSameAs(pool.Read());
  ExpectAtRest(pool.Read());
  EXPECT_EQ(pool.Read().queued_peak, size.capacity);
  EXPECT_EQ(pool.Read().active_peak, size.workers);
}

TEST_P(ExactnessTest, IdleWorkersAndTheQueueAreFilledExactlyAndNoMore) {
  Gate gate;
  TestedPool pool({.workers = size.workers, .capacity = size.capacity});
  Tally tally;
  OnThreads(64, [&](int) {
    for (int i = 0; i < 10; ++i) {
      tally.Count(pool.TryPost([&](Worker&) { EXPECT_TRUE(gate.Pass()); }));
    }
  });
  EXPECT_EQ(tally.accepted, size.workers + size.capacity);
  EXPECT_TRUE(gate.AwaitArrivals(static_cast<int>(size.workers)));
  gate.Open();
  pool.Stop(kForEver);
  tally.ExpectSameAs(pool.Read());
  ExpectAtRest(pool.Read());
}

// Case 33.
TEST_P(ExactnessTest, APausedPoolAcceptsExactlyItsCapacityAndStartsNothing) {
  std::atomic<std::uint64_t> ran = 0;
  TestedPool pool({.workers = size.workers, .capacity = size.capacity});
  pool.Pause();
  Tally tally;
  OnThreads(64, [&](int) {
    for (int i = 0; i < 10; ++i) tally.Count(pool.TryPost([&](Worker&) { ++ran; }));
  });
  EXPECT_EQ(tally.accepted, size.capacity);
  EXPECT_EQ(ran, 0u);
  EXPECT_EQ(pool.Read().active_peak, 0u);
  pool.Resume();
  pool.Stop(kForEver);
  EXPECT_EQ(ran, size.capacity);
}

INSTANTIATE_TEST_SUITE_P(Sizes, ExactnessTest,
                         testing::Combine(testing::Values(Kind::kFifo, Kind::kFull),
                                          testing::Values(Size{2, 5}, Size{1, 0}, Size{4, 0},
                                                          Size{1, 1}, Size{8, 100})),
                         [](const auto& tested) {
                           const Size size = std::get<Size>(tested.param);
                           const bool fifo = std::get<Kind>(tested.param) == Kind::kFifo;
                           return (fifo ? "FifoWorkers" : "FullWorkers") +
                                  std::to_string(size.workers) + "Capacity" +
                                  std::to_string(size.capacity);
                         });

class PoolRulesTest : public BothKindsTest {};
WORKPOOL_TEST_BOTH_KINDS(PoolRulesTest);

// System A: a job that has been taken or is done must not cause a rejection.
TEST_P(PoolRulesTest, APoolThatIsSeenToBeFreeAccepts) {
  TestedPool pool({.workers = 1, .capacity = 0});
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(pool.TryPost(Nothing)) << "post " << i;
    while (pool.Read().active > 0) std::this_thread::yield();
  }
}

TEST_P(PoolRulesTest, EveryPostEndsInExactlyOneWayWhateverHappens) {
  constexpr unsigned kPosts = 1500;
  Tally tally;
  std::atomic<std::uint64_t> ran = 0;
  const bool full = GetParam() == Kind::kFull;
  WorkPoolOptions pool_options{.workers = 3, .capacity = 4, .max_waiting = 6};
  if (full) pool_options.capacity_bytes = 20;
  TestedPool pool(pool_options);
  std::atomic<bool> posting = true;
  std::jthread operators([&] {
    for (int round = 0; posting; ++round) {
      pool.Resize(1 + static_cast<std::uint32_t>(round % 5), static_cast<std::uint64_t>(round % 7));
      if (round % 4 == 0) pool.Pause();
      if (round % 10 == 1) pool.Drain(std::chrono::steady_clock::now());
      std::this_thread::yield();
      pool.Resume();
    }
  });
  OnThreads(12, [&](int thread) {
    std::mt19937 random(static_cast<unsigned>(thread));
    for (unsigned i = 0; i < kPosts; ++i) {
      PostOptions options;
      if (full) {
        options = {.priority = static_cast<std::uint8_t>(random() % kPriorities),
                   .bytes = random() % 22};
      }
      auto work = [&](Worker&) { ++ran; };
      const auto deadline =
          std::chrono::steady_clock::now() + microseconds(static_cast<int>(random() % 300));
      std::stop_source stop;
      if (random() % 8 == 0) stop.request_stop();
      tally.Count(random() % 2 == 0 ? pool.TryPost(work, options)
                                    : pool.Post(work, options, deadline, stop.get_token()));
    }
  });
  posting = false;
  operators.join();
  pool.Stop(kForEver);
  const PoolStats stats = pool.Read();
  tally.ExpectSameAs(stats);
  ExpectAtRest(stats);
  EXPECT_EQ(stats.Posted(), 12u * kPosts);
  EXPECT_EQ(stats.finished, ran);
}

TEST_P(PoolRulesTest, NoReadingEverExceedsTheBounds) {
  TestedPool pool({.workers = 3, .capacity = 4, .max_waiting = 5});
  std::atomic<bool> posting = true;
  std::jthread reader([&] {
    std::uint64_t posted = 0;
    while (posting) {
      const PoolStats stats = pool.Read();
      EXPECT_LE(stats.queued, 4u);
      EXPECT_LE(stats.active, 3u);
      EXPECT_LE(stats.waiting, 5u);
      EXPECT_GE(stats.Posted(), posted);
      posted = stats.Posted();
      EXPECT_EQ(stats.accepted, stats.queued + stats.active + stats.finished + stats.withdrawn);
    }
  });
  OnThreads(8, [&](int thread) {
    for (int i = 0; i < 500; ++i) {
      if (thread % 2 == 0) {
        (void)pool.TryPost(Nothing);
      } else {
        (void)pool.Post(Nothing, {}, std::chrono::steady_clock::now() + kHang);
      }
    }
  });
  posting = false;
  reader.join();
  pool.Stop(kForEver);
  EXPECT_LE(pool.Read().queued_peak, 4u);
  EXPECT_LE(pool.Read().active_peak, 3u);
}

// System B: resizing converges to the exact number whatever is running, and never waits.
TEST_P(PoolRulesTest, ResizingUnderLoadConvergesToTheExactNumber) {
  Gate gate;
  TestedPool pool({.workers = 4, .capacity = 10});
  std::atomic<bool> posting = true;
  std::vector<std::jthread> posters;
  for (int i = 0; i < 4; ++i) {
    posters.emplace_back([&] {
      while (posting) (void)pool.TryPost(Nothing);
    });
  }
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    pool.Resize(1 + static_cast<std::uint32_t>(random() % 30), random() % 20);
  }
  posting = false;
  posters.clear();
  pool.Resize(7, 0);
  EXPECT_TRUE(Eventually([&] { return pool.Read().active == 0; }));
  Tally tally;
  for (int i = 0; i < 20; ++i) {
    tally.Count(pool.TryPost([&](Worker& worker) {
      EXPECT_LT(worker.number(), 7u);
      EXPECT_TRUE(gate.Pass());
    }));
  }
  EXPECT_EQ(tally.accepted, 7u);
  EXPECT_TRUE(gate.AwaitArrivals(7));
  gate.Open();
}

TEST_P(PoolRulesTest, ANumberBelongsToOneWorkerAtATime) {
  std::array<std::atomic<int>, 6> users{};
  TestedPool pool({.workers = 6, .capacity = 20});
  OnThreads(8, [&](int) {
    for (int i = 0; i < 500; ++i) {
      (void)pool.TryPost([&](Worker& worker) {
        EXPECT_EQ(++users.at(worker.number()), 1);
        --users.at(worker.number());
      });
    }
  });
  pool.Stop(kForEver);
}

// Case 37: with one worker the order of starting is visible.
TEST(PriorityRulesTest, PrioritiesAreStrictAndEqualsGoInTheOrderOfTheirPosts) {
  struct Start {
    int priority, poster, number;
  };
  std::vector<Start> starts;
  WorkPool pool({.workers = 1, .capacity = 8 * 200, .priorities = true});
  pool.Pause();
  OnThreads(8, [&](int poster) {
    for (int number = 0; number < 200; ++number) {
      const int priority = (number * 7 + poster) % kPriorities;
      EXPECT_TRUE(pool.TryPost([&starts, priority, poster,
                                number](Worker&) { starts.push_back({priority, poster, number}); },
                               {.priority = static_cast<std::uint8_t>(priority)}));
    }
  });
  pool.Resume();
  pool.Stop(kForEver);
  ASSERT_EQ(starts.size(), 8u * 200u);
  std::array<std::array<int, 8>, kPriorities> last{};
  for (auto& posters : last) posters.fill(-1);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EXPECT_LE(starts[i].priority, starts[i == 0 ? 0 : i - 1].priority);
    int& before = last.at(static_cast<std::size_t>(starts[i].priority))
                      .at(static_cast<std::size_t>(starts[i].poster));
    EXPECT_LT(before, starts[i].number);
    before = starts[i].number;
  }
}

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

// A post whose deadline comes just as it is accepted has one outcome, the same for all.
TEST_P(PoolRulesTest, GivingUpAsTheAcceptanceComesHasOneOutcome) {
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
TEST_P(PoolRulesTest, PostsThatRaceWithAnImpatientStopHaveRunOrAreCountedAsDropped) {
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
TEST_P(PoolRulesTest, PostsThatRaceWithStopHaveRunOrAreRefused) {
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
