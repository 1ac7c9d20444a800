// Weights and limits under many threads: never more runs than they allow, and everything gets its
// turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "pool/thread_pool.h"
#include "unit/pool/gate.h"

namespace workpool {
namespace {

// A number that remembers how high it has been.
class Watermark {
 public:
  void Add(std::uint64_t more) {
    const std::uint64_t now = now_.fetch_add(more) + more;
    std::uint64_t most = most_.load();
    while (now > most && !most_.compare_exchange_weak(most, now)) {
    }
  }
  void Subtract(std::uint64_t less) { now_.fetch_sub(less); }
  std::uint64_t most() const { return most_; }

 private:
  std::atomic<std::uint64_t> now_ = 0;
  std::atomic<std::uint64_t> most_ = 0;
};

struct Seen {
  Watermark places;
  std::array<Watermark, 2> of_group;
  std::atomic<std::uint64_t> ran = 0;
};

// Deletes itself when it has run.
class WatchedTask final : public Task {
 public:
  explicit WatchedTask(Seen& seen) : seen_(seen) {}

  void JoinGroup(std::size_t number, LimitGroup& the_group) {
    number_ = number;
    group = &the_group;
  }

  RunStatus Run(Place place) noexcept override {
    Seen& seen = seen_;
    seen.places.Add(place.weight);
    if (group != nullptr) seen.of_group[number_].Add(1);
    std::this_thread::yield();
    if (group != nullptr) seen.of_group[number_].Subtract(1);
    seen.places.Subtract(place.weight);
    delete this;
    ++seen.ran;
    return RunStatus::kFinished;
  }

 private:
  Seen& seen_;
  std::size_t number_ = 0;
};

// Offers until it is taken; it may be left waiting for room.
void PostStubbornly(TaskPool& pool, Task& task, WhenFull when_full) {
  while (pool.Offer(task, when_full).verdict == Verdict::kRefused) std::this_thread::yield();
}

struct Load {
  explicit Load(const PoolLimits& limits) : pool("limits", limits) {
    pool.Limit(groups[0], 2);
    pool.Limit(groups[1], 3);
  }

  void PostMany(unsigned seed, int count, std::uint32_t heaviest) {
    std::mt19937 random(seed);
    for (int i = 0; i < count; ++i) {
      auto* task = new WatchedTask(seen);
      task->weight = 1 + static_cast<std::uint32_t>(random() % heaviest);
      task->priority = static_cast<std::uint8_t>(4 + random() % 3);
      const std::size_t group = random() % 3;
      if (group < groups.size()) task->JoinGroup(group, groups[group]);
      PostStubbornly(pool, *task, random() % 2 == 0 ? WhenFull::kWait : WhenFull::kReject);
    }
  }

  std::array<LimitGroup, 2> groups;
  Seen seen;
  ThreadPool pool;
};

TEST(LimitsRulesTest, NeitherThePlacesNorALimitAreEverExceededAndEverythingRuns) {
  constexpr int kPosters = 4;
  constexpr int kEach = 3000;
  Load load({.workers = 6, .capacity = 10, .max_waiting = 20});
  {
    std::vector<std::jthread> posters;
    for (unsigned i = 0; i < kPosters; ++i) {
      posters.emplace_back([&load, i] { load.PostMany(i, kEach, 4); });
    }
  }
  EXPECT_TRUE(load.pool.AwaitIdle(InTime()));
  EXPECT_EQ(load.seen.ran, kPosters * kEach);
  EXPECT_LE(load.seen.places.most(), 6u);
  EXPECT_LE(load.seen.of_group[0].most(), 2u);
  EXPECT_LE(load.seen.of_group[1].most(), 3u);
  EXPECT_EQ(load.pool.Read().places_taken, 0u);
}

// The pool becomes smaller than some of what it has taken.
TEST(LimitsRulesTest, TheyHoldWhileSizeAndLimitsChange) {
  constexpr int kPosters = 3;
  constexpr int kEach = 2000;
  const PoolLimits large{.workers = 8, .capacity = 10, .max_waiting = 20};
  PoolLimits small = large;
  small.workers = 2;
  Load load(large);
  {
    const std::jthread changer([&](const std::stop_token& stop) {
      for (int i = 0; !stop.stop_requested(); ++i) {
        load.pool.Resize(i % 2 == 0 ? small : large);
        load.pool.Limit(load.groups[0], i % 3 == 0 ? 1 : 2);
        std::this_thread::yield();
      }
      load.pool.Resize(large);
    });
    std::vector<std::jthread> posters;
    for (unsigned i = 0; i < kPosters; ++i) {
      posters.emplace_back([&load, i] { load.PostMany(i, kEach, 5); });
    }
  }
  EXPECT_TRUE(load.pool.AwaitIdle(InTime()));
  EXPECT_EQ(load.seen.ran, kPosters * kEach);
  EXPECT_LE(load.seen.places.most(), 8u);
  EXPECT_LE(load.seen.of_group[0].most(), 2u);
}

// Light jobs come without end until the others have had their turn.
TEST(LimitsRulesTest, NeitherAHeavyJobNorOneBehindALimitStarves) {
  Load load({.workers = 4, .capacity = 4});
  Seen heavy, grouped;
  std::vector<std::jthread> posters;
  for (int i = 0; i < 3; ++i) {
    posters.emplace_back([&load](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        PostStubbornly(load.pool, *new WatchedTask(load.seen), WhenFull::kReject);
      }
    });
  }
  for (std::uint64_t turn = 1; turn <= 20; ++turn) {
    auto* all_places = new WatchedTask(heavy);
    all_places->weight = 4;
    PostStubbornly(load.pool, *all_places, WhenFull::kWait);
    for (int i = 0; i < 3; ++i) {
      auto* limited = new WatchedTask(grouped);
      limited->JoinGroup(0, load.groups[0]);
      PostStubbornly(load.pool, *limited, WhenFull::kWait);
    }
    ASSERT_TRUE(Eventually([&] { return heavy.ran == turn && grouped.ran == 3 * turn; }));
  }
  posters.clear();
  EXPECT_TRUE(load.pool.AwaitIdle(InTime()));
  EXPECT_LE(grouped.of_group[0].most(), 2u);
}

}  // namespace
}  // namespace workpool
