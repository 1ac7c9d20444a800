// One limit of active tasks for groups of several pools.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <thread>

#include "fakes/idle_task.h"
#include "fakes/scripted_task.h"
#include "pool/thread_pool.h"
#include "unit/pool/gate.h"

namespace workpool {
namespace {

struct GroupTask : IdleTask {
  explicit GroupTask(LimitGroup& the_group) { group = &the_group; }
};

TEST(SharedLimitTest, WhatEndsInOnePoolIsFreeOnlyWhenItIsGivenBack) {
  const auto limit = std::make_shared<ActiveLimit>(1);
  LimitGroup here, there;
  Admission one({.workers = 4, .capacity = 9}), two({.workers = 4, .capacity = 9});
  one.Limit(here, limit, true);
  two.Limit(there, limit, true);
  GroupTask a(here), b(here), c(there);
  EXPECT_EQ(one.Offer(a, WhenFull::kReject).verdict, Verdict::kStarted);
  EXPECT_EQ(one.Offer(b, WhenFull::kReject).verdict, Verdict::kQueued);
  EXPECT_EQ(two.Offer(c, WhenFull::kReject).verdict, Verdict::kQueued);
  one.Finish(one.TakeReady().place);
  EXPECT_FALSE(one.HasReady());  // the other pool's turn comes first
  for (const auto& owed : one.TakeOwed()) owed->Return();
  two.Serve();
  one.Serve();
  EXPECT_EQ(two.TakeReady().task, &c);
  EXPECT_FALSE(one.HasReady());
}

TEST(SharedLimitTest, AGroupThatLeavesTakesItsTasksWithIt) {
  const auto limit = std::make_shared<ActiveLimit>(1);
  LimitGroup here, there;
  Admission one({.workers = 4, .capacity = 9}), two({.workers = 4, .capacity = 9});
  GroupTask a(here), b(here), c(there), d(there);
  one.Offer(a, WhenFull::kReject);
  one.Offer(b, WhenFull::kReject);
  one.Limit(here, limit, true);  // two are active, above the limit
  two.Limit(there, limit, true);
  EXPECT_EQ(two.Offer(c, WhenFull::kReject).verdict, Verdict::kQueued);
  one.Limit(here, nullptr, false);
  two.Serve();
  EXPECT_EQ(two.TakeReady().task, &c);
  EXPECT_EQ(two.Offer(d, WhenFull::kReject).verdict, Verdict::kQueued);
}

// Serves all pools when something is free, as whoever shares a limit has to.
class ServingLimit final : public ActiveLimit {
 public:
  using ActiveLimit::ActiveLimit;
  void Return() override {
    if (!Free()) return;
    for (ThreadPool* pool : pools) pool->Serve();
  }
  std::array<ThreadPool*, 2> pools{};
};

TEST(SharedLimitTest, WhatATaskHeldIsFreeWhileItsThreadRunsTheNext) {
  const auto limit = std::make_shared<ServingLimit>(1);
  LimitGroup here, there;
  ThreadPool one("one", {.workers = 1, .capacity = 9});
  ThreadPool two("two", {.workers = 1, .capacity = 9});
  limit->pools = {&one, &two};
  one.Limit(here, limit, true);
  two.Limit(there, limit, true);
  Gate first, blocked;
  ScriptedTask a([&](Place) {
    EXPECT_TRUE(first.Pass());
    return RunStatus::kFinished;
  });
  ScriptedTask next([&](Place) {
    EXPECT_TRUE(blocked.Pass());
    return RunStatus::kFinished;
  });
  ScriptedTask waits;
  a.group = &here;
  waits.group = &there;
  one.Offer(a, WhenFull::kReject);
  one.Offer(next, WhenFull::kReject);
  EXPECT_EQ(two.Offer(waits, WhenFull::kReject).verdict, Verdict::kQueued);
  first.Open();
  EXPECT_TRUE(blocked.AwaitArrivals(1));
  EXPECT_TRUE(Eventually([&] { return waits.runs == 1; }));
  blocked.Open();
  EXPECT_TRUE(one.AwaitIdle(InTime()));
}

TEST(SharedLimitTest, IsNeverExceededAndNoTaskIsForgotten) {
  constexpr std::uint64_t kMax = 3;
  constexpr int kTasks = 20'000;
  const auto limit = std::make_shared<ServingLimit>(kMax);
  std::array<LimitGroup, 2> groups;
  ThreadPool one("one", {.workers = 6, .capacity = kTasks});
  ThreadPool two("two", {.workers = 6, .capacity = kTasks});
  limit->pools = {&one, &two};
  std::atomic<std::uint64_t> active{0};
  std::atomic<std::uint64_t> most{0};
  const auto count = [&](Place) {
    const std::uint64_t now = ++active;
    std::uint64_t before = most;
    while (before < now && !most.compare_exchange_weak(before, now)) {
    }
    std::this_thread::yield();
    --active;
    return RunStatus::kFinished;
  };
  std::array<std::deque<ScriptedTask>, 2> tasks;
  std::array<std::jthread, 2> posters;
  for (std::size_t i = 0; i < 2; ++i) {
    ThreadPool& pool = *limit->pools[i];
    pool.Limit(groups[i], limit, true);
    for (int n = 0; n < kTasks; ++n) tasks[i].emplace_back(count).group = &groups[i];
    posters[i] = std::jthread([&pool, &mine = tasks[i]] {
      for (ScriptedTask& task : mine) {
        EXPECT_NE(pool.Offer(task, WhenFull::kReject).verdict, Verdict::kRefused);
      }
    });
  }
  for (std::jthread& poster : posters) poster.join();
  for (ThreadPool* pool : limit->pools) {
    EXPECT_TRUE(pool->AwaitIdle(InTime()));
    EXPECT_EQ(pool->Read().finished, static_cast<std::uint64_t>(kTasks));
  }
  EXPECT_LE(most, kMax);
  for (ThreadPool* pool : limit->pools) {
    pool->Close(true);
    EXPECT_TRUE(pool->Join(InTime()));
  }
}

}  // namespace
}  // namespace workpool
