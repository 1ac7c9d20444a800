// The rules of docs/admission.md under many threads: what clients count is what the pool counts.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "unit/pool/gate.h"
#include "unit/pool/tally.h"
#include "unit/pool/tested_pool.h"

namespace workpool {
namespace {

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
      const auto deadline = std::chrono::steady_clock::now() +
                            std::chrono::microseconds(static_cast<int>(random() % 300));
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

}  // namespace
}  // namespace workpool
