// The threads part of the FIFO pool under schedules of our own: no wake may be lost, no task run
// twice or not at all, whoever is interrupted where. Each test prints how many interleavings it has
// explored, WORKPOOL_EXPLORE_TIMES=n makes it n times as many; a failure names the one, as
// WORKPOOL_EXPLORE_SEED takes it for the random ones.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "pool/fifo_pool.h"
#include "unit/pool/explore/schedules.h"
#include "unit/pool/explore/step_platform.h"
#include "unit/pool/explore/world.h"

namespace workpool::explore {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

// What a scenario uses: a pool whose items are numbers, and things that fibers wait for.
class Rig;
using Job = std::function<RunStatus(Rig&, int, Place)>;

struct RunJob {
  RunStatus operator()(int& item, Place place) const noexcept { return (*job)(*rig, item, place); }
  Rig* rig;
  const Job* job;
};

using Pool = FifoPool<int, RunJob, StepPlatform>;

// A count that fibers wait for.
class Count {
 public:
  void Add() {
    count_.fetch_add(1);
    StepPlatform::WakeAll(&count_);
  }
  void Await(std::uint32_t target) {
    for (std::uint32_t seen = count_.load(); seen < target; seen = count_.load()) {
      StepPlatform::Wait(count_, seen, SteadyTime::max());
    }
  }
  std::uint32_t value() { return count_.load(); }

 private:
  StepPlatform::Word count_;
};

class Rig {
 public:
  Rig(const PoolLimits& limits, const ThreadBounds& threads, Job the_job)
      : job(std::move(the_job)), pool("explored", limits, threads, RunJob{this, &job}) {}
  ~Rig() {
    pool.Close(true);
    pool.Join(SteadyTime::max());
    for (const int fiber : posters) World::Current().Join(fiber);
  }

  void Start(std::function<void()> body) {
    posters.push_back(World::Current().Start(std::move(body)));
  }
  bool Try(int item) { return pool.TryPost(item).has_value(); }
  Pool::Posted Post(int item, std::optional<SteadyTime> deadline = std::nullopt) {
    return pool.Post(item, deadline, {});
  }

  Job job;
  Count started;
  Count ended;
  Pool pool;
  std::vector<int> posters;
};

RunStatus Short(Rig& rig, int, Place) {
  rig.started.Add();
  rig.ended.Add();
  return RunStatus::kFinished;
}

using Scenario = std::function<void()>;

struct Tally {
  std::uint64_t random = 0;
  std::uint64_t priority = 0;
  std::uint64_t bounded = 0;
  bool all = false;
  std::uint64_t steps = 0;
};

void Explore(const Scenario& scenario, Machine machine) {
  Tally tally;
  const auto run = [&](Schedule& schedule, const std::string& which) {
    World world(schedule, machine);
    const bool done = world.Run(scenario);
    tally.steps += world.steps();
    EXPECT_TRUE(done) << "nobody could go on: " << which;
    return !testing::Test::HasFailure();
  };
  const char* only = std::getenv("WORKPOOL_EXPLORE_SEED");
  const std::uint64_t first = only != nullptr ? std::stoull(only) : 1;
  const char* times = std::getenv("WORKPOOL_EXPLORE_TIMES");
  const std::uint64_t effort = times != nullptr ? std::stoull(times) : 1;
  const std::uint64_t seeds = only != nullptr ? 1 : 500 * effort;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    machine.clock_step = nanoseconds(seed % 3 == 0 ? 20 : 3000);
    machine.spin_pays = seed % 2 == 0 && machine.clock_step > microseconds(1);
    RandomSchedule random(seed);
    if (!run(random, "random, WORKPOOL_EXPLORE_SEED=" + std::to_string(seed))) return;
    ++tally.random;
    PrioritySchedule priority(seed, 1 + seed % 4, 400);
    if (!run(priority, "priorities, WORKPOOL_EXPLORE_SEED=" + std::to_string(seed))) return;
    ++tally.priority;
  }
  machine.clock_step = nanoseconds(3000);
  machine.spin_pays = false;
  BoundedSchedule bounded(2);
  const std::uint64_t most = 3'000 * effort;
  do {
    if (!run(bounded, "bounded, number " + std::to_string(tally.bounded))) return;
  } while (++tally.bounded < most && (tally.all = !bounded.Next(), !tally.all));
  std::printf(
      "explored: %llu random, %llu by priorities, %llu with at most 2 interruptions%s; %llu "
      "steps\n",
      static_cast<unsigned long long>(tally.random),
      static_cast<unsigned long long>(tally.priority),
      static_cast<unsigned long long>(tally.bounded), tally.all ? " (all there are)" : "",
      static_cast<unsigned long long>(tally.steps));
}

// Every task waits for all others: each needs a thread of its own.
RunStatus Together(Rig& rig, int item, Place) {
  rig.started.Add();
  rig.started.Await(static_cast<std::uint32_t>(item));
  rig.ended.Add();
  return RunStatus::kFinished;
}

TEST(ExploreTest, ABurstOfBlockingTasksGetsAThreadEach) {
  Explore(
      [] {
        Rig rig({.workers = 3, .capacity = 3}, {}, Together);
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(rig.Try(3));
        rig.ended.Await(3);
        EXPECT_EQ(rig.pool.Read().accepted, 3u);
      },
      {});
}

TEST(ExploreTest, ABurstAfterShortTasksGetsAThreadEach) {
  Explore(
      [] {
        Rig rig({.workers = 2, .capacity = 6}, {}, [](Rig& its, int item, Place place) {
          return item == 0 ? Short(its, item, place) : Together(its, item, place);
        });
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(rig.Try(0));
        for (int i = 0; i < 2; ++i) EXPECT_TRUE(rig.Try(5));
        rig.ended.Await(5);
      },
      {});
}

TEST(ExploreTest, TwoPostersAndAHandOff) {
  Explore(
      [] {
        Rig rig({.workers = 1, .capacity = 0}, {}, Short);
        rig.Start([&] { EXPECT_TRUE(rig.Post(0)); });
        EXPECT_TRUE(rig.Post(0));
        EXPECT_TRUE(rig.Post(0));
        rig.ended.Await(3);
      },
      {});
}

TEST(ExploreTest, PostersThatWaitForRoomAreAllServed) {
  Explore(
      [] {
        Rig rig({.workers = 2, .capacity = 1}, {}, Short);
        for (int poster = 0; poster < 2; ++poster) {
          rig.Start([&] {
            for (int i = 0; i < 3; ++i) EXPECT_TRUE(rig.Post(0));
          });
        }
        rig.ended.Await(6);
        rig.pool.AwaitIdle(SteadyTime::max());
        EXPECT_EQ(rig.pool.Read().finished, 6u);
      },
      {});
}

// Several workers that run dry may spin while a poster that was called is on its way.
TEST(ExploreTest, ABurstFromAPosterThatWasWaitedForGetsAThreadEach) {
  Explore(
      [] {
        Rig rig({.workers = 3, .capacity = 1}, {}, [](Rig& its, int item, Place place) {
          return item == 0 ? Short(its, item, place) : Together(its, item, place);
        });
        for (int i = 0; i < 5; ++i) EXPECT_TRUE(rig.Post(0));
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(rig.Post(8));
        rig.ended.Await(8);
      },
      {});
}

TEST(ExploreTest, GivingUpHasOneOutcome) {
  Explore(
      [] {
        Rig rig({.workers = 1, .capacity = 0}, {}, Short);
        Count posted;
        Count accepted;
        for (int poster = 0; poster < 2; ++poster) {
          rig.Start([&, poster] {
            const SteadyTime soon = StepPlatform::Now() + microseconds(9 * poster);
            if (rig.Post(0, soon)) accepted.Add();
            posted.Add();
          });
        }
        posted.Await(2);
        rig.ended.Await(accepted.value());
        const PoolStats stats = rig.pool.Read();
        EXPECT_EQ(stats.accepted, accepted.value());
        EXPECT_EQ(stats.Posted(), 2u);
        EXPECT_EQ(stats.waiting, 0u);
      },
      {});
}

TEST(ExploreTest, WhoWaitsBehindOneThatGaveUpIsServed) {
  Explore(
      [] {
        Count release;
        Count gave_up;
        Count accepted;
        Rig rig({.workers = 1, .capacity = 0}, {}, [&](Rig& its, int item, Place place) {
          if (item == 1) release.Await(1);
          return Short(its, item, place);
        });
        EXPECT_TRUE(rig.Try(1));
        rig.Start([&] {
          EXPECT_FALSE(rig.Post(0, StepPlatform::Now() + microseconds(5)));
          gave_up.Add();
        });
        rig.Start([&] {
          EXPECT_TRUE(rig.Post(0));
          accepted.Add();
        });
        gave_up.Await(1);
        release.Add();
        accepted.Await(1);
        rig.ended.Await(2);
      },
      {});
}

TEST(ExploreTest, ThreadsThatEndUnusedLeaveNoTaskBehind) {
  Explore(
      [] {
        Rig rig({.workers = 2, .capacity = 2}, {.min = 0, .idle = nanoseconds(1)}, Short);
        for (std::uint32_t i = 1; i <= 3; ++i) {
          EXPECT_TRUE(rig.Try(0));
          rig.ended.Await(i);
        }
        EXPECT_TRUE(rig.Try(0));
        EXPECT_TRUE(rig.Try(0));
        rig.ended.Await(5);
      },
      {});
}

TEST(ExploreTest, APlaceHandedBackFromElsewhereServesWhoWaits) {
  Explore(
      [] {
        std::vector<Place> held;
        Rig rig({.workers = 1, .capacity = 0}, {}, [&](Rig& its, int, Place place) {
          held.push_back(place);
          its.started.Add();
          return RunStatus::kPending;
        });
        rig.Start([&] {
          for (std::uint32_t i = 1; i <= 2; ++i) {
            rig.started.Await(i);
            rig.pool.Finish(held.back());
          }
        });
        EXPECT_TRUE(rig.Post(0));
        EXPECT_TRUE(rig.Post(0));
        rig.pool.AwaitIdle(SteadyTime::max());
        EXPECT_EQ(rig.pool.Read().finished, 2u);
      },
      {});
}

TEST(ExploreTest, PauseResumeAndResizeLoseNothing) {
  Explore(
      [] {
        Rig rig({.workers = 2, .capacity = 2}, {}, Short);
        rig.Start([&] {
          rig.pool.Pause();
          rig.pool.Resize({.workers = 1, .capacity = 1});
          rig.pool.Resume();
          rig.pool.Resize({.workers = 3, .capacity = 1});
        });
        for (int i = 0; i < 4; ++i) EXPECT_TRUE(rig.Post(0));
        rig.ended.Await(4);
      },
      {});
}

TEST(ExploreTest, StopEndsWaitsAndRunsWhatWasAccepted) {
  Explore(
      [] {
        Count accepted;
        Count answered;
        Rig rig({.workers = 1, .capacity = 1}, {}, Short);
        for (int poster = 0; poster < 3; ++poster) {
          rig.Start([&] {
            if (rig.Post(0)) accepted.Add();
            answered.Add();
          });
        }
        rig.pool.Close(true);
        EXPECT_TRUE(rig.pool.AwaitIdle(SteadyTime::max()));
        answered.Await(3);
        EXPECT_EQ(rig.ended.value(), accepted.value());
        EXPECT_EQ(rig.pool.Read().Posted(), 3u);
      },
      {});
}

TEST(ExploreTest, RefusedThreadsLoseNoTask) {
  Explore(
      [] {
        Rig rig({.workers = 2, .capacity = 2}, {.min = 0, .idle = nanoseconds(1)}, Short);
        for (std::uint32_t i = 1; i <= 2; ++i) {
          EXPECT_TRUE(rig.Try(0));
          EXPECT_TRUE(rig.Try(0));
          rig.ended.Await(2 * i);
        }
      },
      {.refuse_threads_from = 1, .refusals = 3});
}

}  // namespace
}  // namespace workpool::explore
