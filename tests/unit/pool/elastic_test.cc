// Threads that come when they are needed and go when they were not used for a while (ThreadBounds).
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>

#include <deque>
#include <system_error>
#include <thread>

#include "fakes/scripted_task.h"
#include "pool/thread_pool.h"
#include "unit/pool/gate.h"

namespace workpool {
namespace {

using std::chrono::milliseconds;

void RunTogether(ThreadPool& pool, int count) {
  Gate gate;
  std::deque<ScriptedTask> tasks;
  for (int i = 0; i < count; ++i) {
    tasks.emplace_back([&](Place) {
      EXPECT_TRUE(gate.Pass());
      return RunStatus::kFinished;
    });
    EXPECT_EQ(pool.Offer(tasks.back(), WhenFull::kReject).verdict, Verdict::kStarted);
  }
  EXPECT_TRUE(gate.AwaitArrivals(count));
  gate.Open();
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
}

void RunOne(ThreadPool& pool) {
  ScriptedTask task;
  EXPECT_EQ(pool.Offer(task, WhenFull::kReject).verdict, Verdict::kStarted);
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
}

TEST(ElasticTest, UnusedThreadsEndDownToTheMinimumAndTheNextBurstGetsAllAgain) {
  ThreadPool pool("elastic", {.workers = 20, .capacity = 0});
  pool.SetThreadBounds({.min = 2, .idle = milliseconds(1)});
  for (int round = 0; round < 5; ++round) {
    RunTogether(pool, 20);
    EXPECT_TRUE(Eventually([&] { return pool.threads() == 2; }));
  }
  EXPECT_GT(pool.threads_started(), 20u);
}

TEST(ElasticTest, ByDefaultThreadsAreKept) {
  ThreadPool pool("kept", {.workers = 5, .capacity = 0});
  RunTogether(pool, 5);
  RunTogether(pool, 5);
  EXPECT_EQ(pool.threads(), 5u);
  EXPECT_EQ(pool.threads_started(), 5u);
  EXPECT_EQ(ThreadBounds().min, ThreadBounds::kNoBound);  // no timer will end them
}

// The recycler that ends just as a worker is listed, and the timer that kills a busy worker.
TEST(ElasticTest, ATaskThatRunsLongerThanTheIdleTimeIsNotDisturbed) {
  ThreadPool pool("long", {.workers = 2, .capacity = 0});
  pool.SetThreadBounds({.min = 0, .idle = milliseconds(1)});
  Gate gate;
  std::thread::id before;
  std::thread::id after;
  ScriptedTask task([&](Place) {
    before = std::this_thread::get_id();
    EXPECT_TRUE(gate.Pass());
    after = std::this_thread::get_id();
    return RunStatus::kFinished;
  });
  pool.Offer(task, WhenFull::kReject);
  ASSERT_TRUE(gate.AwaitArrivals(1));
  for (int i = 0; i < 3; ++i) {  // others come and go beside it
    ScriptedTask other;
    pool.Offer(other, WhenFull::kReject);
    EXPECT_TRUE(Eventually([&] { return other.runs == 1 && pool.threads() == 1; }));
  }
  gate.Open();
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
  EXPECT_EQ(before, after);
  EXPECT_TRUE(Eventually([&] { return pool.threads() == 0; }));
}

TEST(ElasticTest, TheLastUsedIsUsedFirstSoThatTheOthersAge) {
  ThreadPool pool("aging", {.workers = 8, .capacity = 0});
  RunTogether(pool, 8);
  pool.SetThreadBounds({.min = 1, .idle = milliseconds(20)});
  // One task after the other keeps one thread busy, or two if the next comes before the first of
  // them is back to sleep; the rest are not used.
  EXPECT_TRUE(Eventually([&] {
    RunOne(pool);
    return pool.threads() <= 2;
  }));
  EXPECT_EQ(pool.threads_started(), 8u);
}

TEST(ElasticTest, KeepThreadsLeavesTheOtherBoundsAlone) {
  ThreadPool pool("keep", {.workers = 10, .capacity = 10});
  pool.SetThreadBounds({.max = 4});
  pool.KeepThreads(2, milliseconds(1));
  RunTogether(pool, 4);
  EXPECT_TRUE(Eventually([&] { return pool.threads() == 2; }));
  pool.KeepThreads(ThreadBounds::kNoBound, milliseconds(1));
  Gate gate;
  std::deque<ScriptedTask> tasks;
  const auto offer_more = [&](int count) {
    for (int i = 0; i < count; ++i) {
      tasks.emplace_back([&](Place) {
        EXPECT_TRUE(gate.Pass());
        return RunStatus::kFinished;
      });
      EXPECT_EQ(pool.Offer(tasks.back(), WhenFull::kReject).verdict, Verdict::kStarted);
    }
  };
  offer_more(4);
  ASSERT_TRUE(gate.AwaitArrivals(4));
  offer_more(2);  // all threads are inside tasks, and there are as many as there may be
  EXPECT_EQ(pool.threads(), 4u);
  gate.Open();
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
}

TEST(ElasticTest, BoundsMayChangeWhileThreadsSleepAndWork) {
  ThreadPool pool("bounds", {.workers = 10, .capacity = 0});
  RunTogether(pool, 10);
  pool.SetThreadBounds({.min = 6, .idle = milliseconds(1)});
  EXPECT_TRUE(Eventually([&] { return pool.threads() == 6; }));
  pool.SetThreadBounds({.min = 3, .idle = std::chrono::hours(1)});
  RunOne(pool);
  EXPECT_EQ(pool.threads(), 6u);
  pool.SetThreadBounds({.min = 3, .idle = milliseconds(1)});
  EXPECT_TRUE(Eventually([&] { return pool.threads() == 3; }));
  pool.SetThreadBounds({.max = 1});
  EXPECT_TRUE(Eventually([&] { return pool.threads() == 1; }));
  RunOne(pool);
  EXPECT_EQ(pool.threads(), 1u);
}

// Case 28.
TEST(ElasticTest, AHundredThousandPostsEachAfterTheThreadMayHaveEndedStartInTime) {
  constexpr int kPosts = 100'000;
  ThreadPool pool("case28", {.workers = 2, .capacity = 0});
  pool.SetThreadBounds({.min = 0, .idle = milliseconds(1)});
  for (int i = 0; i < kPosts; ++i) {
    ScriptedTask task;
    ASSERT_EQ(pool.Offer(task, WhenFull::kReject).verdict, Verdict::kStarted) << "post " << i;
    ASSERT_TRUE(pool.AwaitIdle(InTime())) << "post " << i;
    // Now and then about as long as a thread stays, so that it ends just as the next post comes.
    if (i % 100 == 0) {
      EXPECT_TRUE(Eventually([&] { return pool.threads() == 0; }));
    } else if (i % 50 == 0) {
      const auto until =
          std::chrono::steady_clock::now() + std::chrono::microseconds(900 + i % 200);
      while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
    }
  }
  EXPECT_GE(pool.threads_started(), 1000u);
}

// While it lives the system refuses to start threads: there is no such stack.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_attr_init(&huge);
    EXPECT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 50), 0);
    EXPECT_EQ(pthread_setattr_default_np(&huge), 0);
  }
  ~NoThreads() { pthread_setattr_default_np(&before_); }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_;
};

TEST(ElasticTest, APoolThatGetsNoFirstThreadSaysSo) {
  const NoThreads refused;
  EXPECT_THROW(ThreadPool("none", {.workers = 2}), std::system_error);
}

TEST(ElasticTest, ARefusedThreadLeavesTheWorkToThoseThereAre) {
  ThreadPool pool("few", {.workers = 2, .capacity = 0});
  Gate gate;
  ScriptedTask first([&](Place) {
    EXPECT_TRUE(gate.Pass());
    return RunStatus::kFinished;
  });
  ScriptedTask second;
  pool.Offer(first, WhenFull::kReject);
  ASSERT_TRUE(gate.AwaitArrivals(1));
  {
    const NoThreads refused;
    EXPECT_EQ(pool.Offer(second, WhenFull::kReject).verdict, Verdict::kStarted);
  }
  EXPECT_EQ(pool.threads(), 1u);
  gate.Open();
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
  EXPECT_EQ(second.runs, 1);
  for (int i = 0; i < 100; ++i) RunOne(pool);  // it is called again whenever it sleeps
}

TEST(ElasticTest, WithNoThreadLeftOneIsTriedForUntilTheSystemGivesIt) {
  ThreadPool pool("last", {.workers = 2, .capacity = 0});
  pool.SetThreadBounds({.min = 0, .idle = milliseconds(1)});
  ASSERT_TRUE(Eventually([&] { return pool.threads() == 0; }));
  ScriptedTask task;
  Gate go;
  std::jthread poster([&] {
    EXPECT_TRUE(go.Pass());
    pool.Offer(task, WhenFull::kReject);
  });
  {
    const NoThreads refused;
    go.Open();
    EXPECT_TRUE(Eventually([&] { return pool.Read().active == 1; }));
    EXPECT_EQ(task.runs, 0);
  }
  EXPECT_TRUE(Eventually([&] { return task.runs == 1; }));
}

// Page faults of the calling thread while it goes so deep.
[[gnu::noinline]] long FaultsOfADeepCall(std::size_t bytes) {
  rusage before{};
  rusage after{};
  getrusage(RUSAGE_THREAD, &before);
  auto* frame = static_cast<volatile char*>(__builtin_alloca(bytes));
  for (std::size_t at = bytes; at > 4096; at -= 4096) frame[at - 1] = 1;
  getrusage(RUSAGE_THREAD, &after);
  return after.ru_minflt - before.ru_minflt;
}

TEST(ElasticTest, ANewThreadsStackIsTouchedInAdvanceOnRequest) {
  constexpr std::size_t kDepth = std::size_t{1} << 20;
  std::atomic<long> faults = -1;
  ThreadPool pool("deep", {.workers = 2, .capacity = 0});
  pool.SetThreadBounds({.touch_stack = kDepth + kDepth / 4});
  Gate gate;
  ScriptedTask blocker([&](Place) {  // so that the deep task gets a thread started by now
    EXPECT_TRUE(gate.Pass());
    return RunStatus::kFinished;
  });
  ScriptedTask deep([&](Place) {
    faults = FaultsOfADeepCall(kDepth);
    return RunStatus::kFinished;
  });
  pool.Offer(blocker, WhenFull::kReject);
  ASSERT_TRUE(gate.AwaitArrivals(1));
  pool.Offer(deep, WhenFull::kReject);
  EXPECT_TRUE(Eventually([&] { return deep.runs == 1; }));
  gate.Open();
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
  EXPECT_LT(faults, 8);  // 256 pages
}

// A depth beyond what the stack has touches what there is.
TEST(ElasticTest, AStackIsNotTouchedBeyondItsEnd) {
  ThreadPool pool("deeper", {.workers = 2, .capacity = 0});
  pool.SetThreadBounds({.touch_stack = std::size_t{1} << 40});
  RunTogether(pool, 2);
}

}  // namespace
}  // namespace workpool
