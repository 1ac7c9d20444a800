// Which threads a work pool has, on both of its admissions: all of them soon when jobs block, few
// when they are short, and none for longer than asked for.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "pool/work_pool.h"
#include "unit/pool/gate.h"
#include "unit/pool/tested_pool.h"

namespace workpool {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

class WorkPoolThreadsTest : public BothKindsTest {};
WORKPOOL_TEST_BOTH_KINDS(WorkPoolThreadsTest);

bool AtRest(const WorkPool& pool) {
  return Eventually([&pool] {
    const PoolStats stats = pool.Read();
    return stats.active + stats.queued == 0;
  });
}

void RunShortJobs(WorkPool& pool, int count) {
  for (int i = 0; i < count; ++i) EXPECT_TRUE(pool.Post([](Worker&) {}));
}

// Posts so many blocking jobs: all must run at the same time.
void ExpectAllRunTogether(WorkPool& pool, int count) {
  Gate gate;
  for (int i = 0; i < count; ++i) {
    EXPECT_TRUE(pool.Post([&](Worker&) { EXPECT_TRUE(gate.Pass()); }));
  }
  EXPECT_TRUE(gate.AwaitArrivals(count)) << gate.arrived() << " of " << count << " run";
  gate.Open();
  EXPECT_TRUE(AtRest(pool));
}

TEST_P(WorkPoolThreadsTest, ABurstOfBlockingJobsGetsAllThreadsColdAndAfterShortJobs) {
  TestedPool pool({.workers = 100, .capacity = 1000});
  for (int round = 0; round < 7; ++round) {
    ExpectAllRunTogether(pool, 100);
    RunShortJobs(pool, 20'000);
  }
  EXPECT_LE(pool.threads_started(), 100u);
}

TEST_P(WorkPoolThreadsTest, AJobBehindABlockedOneStarts) {
  TestedPool pool({.workers = 2, .capacity = 10});
  for (int round = 0; round < 300; ++round) {
    RunShortJobs(pool, 50);
    Gate gate;
    EXPECT_TRUE(pool.Post([&](Worker&) { EXPECT_TRUE(gate.Pass()); }));
    EXPECT_TRUE(pool.Post([&](Worker&) { gate.Open(); }));
    ASSERT_TRUE(AtRest(pool)) << "round " << round;
  }
}

// A stream of short jobs, then one that waits for the next to run, again and again: whoever was
// busy, watching or spinning, somebody comes for the next.
TEST_P(WorkPoolThreadsTest, ShortJobsThatTurnIntoBlockingOnesDoNotHoldUpTheOthers) {
  std::atomic<int> released = 0;
  TestedPool pool({.workers = 3, .capacity = 30});
  for (int round = 1; round <= 300; ++round) {
    for (int i = 0; i < 2; ++i) {
      EXPECT_TRUE(pool.Post(
          [&, round](Worker&) { EXPECT_TRUE(Eventually([&] { return released >= round; })); }));
    }
    EXPECT_TRUE(pool.Post([&](Worker&) { ++released; }));
    RunShortJobs(pool, round % 40);
  }
  EXPECT_TRUE(AtRest(pool));
}

TEST_P(WorkPoolThreadsTest, OneJobAfterTheOtherNeedsOneThread) {
  TestedPool pool({.workers = 50, .capacity = 0});
  for (int i = 0; i < 300; ++i) {
    EXPECT_TRUE(pool.Post([](Worker&) {}));
    EXPECT_TRUE(AtRest(pool));
  }
  // The thread of the job before may be on its way to sleep when the next comes.
  EXPECT_LE(pool.threads_started(), 3u);
}

TEST_P(WorkPoolThreadsTest, NeverMoreThreadsThanTheMaximumThoughMoreWorkersAreTaken) {
  std::set<std::uint32_t> numbers;
  Mutex mutex;
  TestedPool pool({.workers = 40, .capacity = 0, .threads = {.max = 2}});
  std::vector<Completion> held(40);  // goes first: the pool waits for it
  for (Completion& completion : held) {
    EXPECT_TRUE(pool.TryPost([&](Worker& worker) {
      const MutexLock lock(mutex);
      completion = worker.Defer();
      numbers.insert(worker.number());
    }));
  }
  EXPECT_FALSE(pool.TryPost([](Worker&) {}));
  EXPECT_TRUE(Eventually([&] {
    const MutexLock lock(mutex);
    return numbers.size() == held.size();
  }));
  EXPECT_EQ(pool.Read().active, held.size());
  EXPECT_LE(pool.threads_started(), 2u);
}

TEST_P(WorkPoolThreadsTest, UnusedThreadsEndDownToTheMinimumAndTheNextBurstGetsAllAgain) {
  TestedPool pool({.workers = 20, .capacity = 0, .threads = {.min = 2, .idle = milliseconds(1)}});
  for (int round = 0; round < 5; ++round) {
    ExpectAllRunTogether(pool, 20);
    EXPECT_TRUE(Eventually([&] { return pool.threads() == 2; }));
  }
  EXPECT_GT(pool.threads_started(), 20u);
}

TEST_P(WorkPoolThreadsTest, AJobThatRunsLongerThanTheIdleTimeIsNotDisturbed) {
  Gate gate;
  TestedPool pool({.workers = 2, .capacity = 0, .threads = {.min = 0, .idle = milliseconds(1)}});
  EXPECT_TRUE(pool.Post([&](Worker&) { EXPECT_TRUE(gate.Pass()); }));
  ASSERT_TRUE(gate.AwaitArrivals(1));
  for (int i = 0; i < 3; ++i) {  // others come and go beside it
    EXPECT_TRUE(pool.Post([](Worker&) {}));
    EXPECT_TRUE(Eventually([&] { return pool.threads() == 1; }));
  }
  gate.Open();
  EXPECT_TRUE(Eventually([&] { return pool.threads() == 0; }));
}

// Case 28.
TEST_P(WorkPoolThreadsTest, APostAfterTheThreadMayHaveEndedStartsInTime) {
  constexpr int kPosts = 100'000;
  std::atomic<int> ran = 0;
  TestedPool pool({.workers = 2, .capacity = 0, .threads = {.min = 0, .idle = milliseconds(1)}});
  for (int i = 0; i < kPosts; ++i) {
    ASSERT_TRUE(pool.Post([&](Worker&) { ++ran; }));
    while (ran == i) std::this_thread::yield();
    // Now and then about as long as a thread stays, so that it ends just as the next post comes.
    if (i % 100 != 0) continue;
    const auto until = std::chrono::steady_clock::now() + microseconds(850 + i / 100 % 300);
    while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
  }
}

TEST_P(WorkPoolThreadsTest, ThreadsBeyondTheWorkersEndAfterAShrinkAndComeBackAfterGrowth) {
  TestedPool pool({.workers = 20, .capacity = 0});
  ExpectAllRunTogether(pool, 20);
  pool.Resize(3, 0);
  EXPECT_TRUE(Eventually([&] { return pool.threads() == 3; }));
  ExpectAllRunTogether(pool, 3);
  pool.Resize(20, 0);
  ExpectAllRunTogether(pool, 20);
}

}  // namespace
}  // namespace workpool
