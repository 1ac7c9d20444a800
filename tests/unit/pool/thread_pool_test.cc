// The threads: started when needed, woken as the work needs them, ended when they are too many.
#include "pool/thread_pool.h"

#include <gtest/gtest.h>

#include <deque>
#include <thread>
#include <vector>

#include "fakes/scripted_task.h"
#include "unit/pool/gate.h"

namespace workpool {
namespace {

ScriptedTask::Script PassThrough(Gate& gate) {
  return [&gate](Place) {
    EXPECT_TRUE(gate.Pass());
    return RunStatus::kFinished;
  };
}

// Posts `count` short tasks one after the other, as fast as they are taken.
void RunShortTasks(ThreadPool& pool, int count, bool brief = false) {
  std::deque<ScriptedTask> tasks(static_cast<std::size_t>(count));
  for (ScriptedTask& task : tasks) {
    task.brief = brief;
    while (pool.Offer(task, WhenFull::kReject).verdict == Verdict::kRefused) {
      std::this_thread::yield();
    }
  }
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
}

// Posts as many blocking tasks as there are workers: each must be running at the same time.
void ExpectAllRunTogether(ThreadPool& pool, int count) {
  Gate gate;
  std::deque<ScriptedTask> tasks;
  for (int i = 0; i < count; ++i) {
    tasks.emplace_back(PassThrough(gate));
    EXPECT_EQ(pool.Offer(tasks.back(), WhenFull::kReject).verdict, Verdict::kStarted);
  }
  EXPECT_TRUE(gate.AwaitArrivals(count)) << gate.arrived() << " of " << count << " run";
  gate.Open();
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
}

TEST(ThreadPoolTest, ABurstOfBlockingTasksGetsAllThreadsCold) {
  ThreadPool pool("cold", {.workers = 100, .capacity = 0});
  ExpectAllRunTogether(pool, 100);
  EXPECT_EQ(pool.threads_started(), 100u);
}

TEST(ThreadPoolTest, ABurstOfBlockingTasksGetsAllThreadsAfterManyShortOnes) {
  ThreadPool pool("burst", {.workers = 100, .capacity = 1000});
  for (int round = 0; round < 7; ++round) {
    RunShortTasks(pool, 5000);
    ExpectAllRunTogether(pool, 100);
  }
  EXPECT_LE(pool.threads_started(), 100u);
}

TEST(ThreadPoolTest, ABurstOfBlockingTasksGetsAllThreadsAfterManyBriefOnes) {
  ThreadPool pool("burst", {.workers = 20, .capacity = 1000});
  for (int round = 0; round < 7; ++round) {
    RunShortTasks(pool, 5000, /*brief=*/true);
    ExpectAllRunTogether(pool, 20);
  }
  EXPECT_LE(pool.threads_started(), 20u);
}

TEST(ThreadPoolTest, PostsThatWaitAreToldBeforeATaskThatMayBlock) {
  ThreadPool pool("told", {.workers = 1, .capacity = 2});
  Gate first_gate, blocked;
  ScriptedTask first(PassThrough(first_gate)), blocking(PassThrough(blocked)), queued, waiting;
  first.brief = queued.brief = waiting.brief = true;
  for (ScriptedTask* task : {&first, &blocking, &queued}) pool.Offer(*task, WhenFull::kReject);
  ASSERT_EQ(pool.Offer(waiting, WhenFull::kWait).verdict, Verdict::kWaiting);
  first_gate.Open();
  EXPECT_TRUE(blocked.AwaitArrivals(1));
  EXPECT_TRUE(waiting.accepted);
  blocked.Open();
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
  EXPECT_EQ(waiting.runs, 1);
}

TEST(ThreadPoolTest, ClosingLeavesNoPostToBeToldLater) {
  ThreadPool pool("closed", {.workers = 1, .capacity = 1});
  Gate first_gate, gate;
  ScriptedTask first(PassThrough(first_gate)), second(PassThrough(gate)), waiting;
  first.brief = second.brief = waiting.brief = true;
  for (ScriptedTask* task : {&first, &second}) pool.Offer(*task, WhenFull::kReject);
  ASSERT_EQ(pool.Offer(waiting, WhenFull::kWait).verdict, Verdict::kWaiting);
  first_gate.Open();
  EXPECT_TRUE(gate.AwaitArrivals(1));
  EXPECT_FALSE(waiting.accepted) << "it is told at once: this test shows nothing";
  pool.Close(/*run_queued=*/true);
  pool.AwaitNotices();
  EXPECT_TRUE(waiting.accepted);
  gate.Open();
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
}

TEST(ThreadPoolTest, EveryBriefTaskThatWaitedForRoomIsToldAndRun) {
  constexpr int kPosters = 4;
  constexpr std::size_t kTasks = 3000;
  ThreadPool pool("waits", {.workers = 2, .capacity = 100, .max_waiting = 20'000});
  std::vector<std::deque<ScriptedTask>> tasks(kPosters);
  OnThreads(kPosters, [&](int poster) {
    std::deque<ScriptedTask>& mine = tasks[static_cast<std::size_t>(poster)];
    mine.resize(kTasks);
    for (ScriptedTask& task : mine) {
      task.brief = true;
      EXPECT_NE(pool.Offer(task, WhenFull::kWait).verdict, Verdict::kRefused);
    }
  });
  EXPECT_TRUE(Eventually([&] { return pool.Read().finished == kPosters * kTasks; }));
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
  for (const auto& mine : tasks) {
    for (const ScriptedTask& task : mine) EXPECT_EQ(task.runs, 1);
  }
}

TEST(ThreadPoolTest, BriefTasksGetNoMoreThreadsThanTheCoresCanUse) {
  const std::uint64_t most = std::thread::hardware_concurrency() + 2;
  ThreadPool pool("brief", {.workers = 1000, .capacity = 0});
  Gate gate;
  std::deque<ScriptedTask> tasks;
  for (std::uint64_t i = 0; i < most + 10; ++i) {
    tasks.emplace_back(PassThrough(gate)).brief = true;
    ASSERT_EQ(pool.Offer(tasks.back(), WhenFull::kReject).verdict, Verdict::kStarted);
  }
  EXPECT_TRUE(gate.AwaitArrivals(static_cast<int>(most)));
  ScriptedTask blocking(PassThrough(gate));
  ASSERT_EQ(pool.Offer(blocking, WhenFull::kReject).verdict, Verdict::kStarted);
  EXPECT_EQ(pool.threads(), most);
  gate.Open();
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
}

TEST(ThreadPoolTest, BlockingTasksGetThreadsBesideBriefOnes) {
  ThreadPool pool("mixed", {.workers = 100, .capacity = 0});
  Gate blocked;
  std::deque<ScriptedTask> blocking;
  for (int i = 0; i < 20; ++i) {
    blocking.emplace_back(PassThrough(blocked));
    pool.Offer(blocking.back(), WhenFull::kReject);
  }
  ASSERT_TRUE(blocked.AwaitArrivals(20));
  Gate brief;
  std::deque<ScriptedTask> tasks;
  for (int i = 0; i < 2; ++i) {
    tasks.emplace_back(PassThrough(brief)).brief = true;
    pool.Offer(tasks.back(), WhenFull::kReject);
  }
  EXPECT_TRUE(brief.AwaitArrivals(2));
  brief.Open();
  blocked.Open();
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
}

TEST(ThreadPoolTest, ATaskBehindABlockedOneStarts) {
  ThreadPool pool("blocked", {.workers = 2, .capacity = 10});
  for (int round = 0; round < 50; ++round) {
    RunShortTasks(pool, 50);
    Gate gate;
    ScriptedTask blocker(PassThrough(gate));
    ScriptedTask behind([&](Place) {
      gate.Open();
      return RunStatus::kFinished;
    });
    pool.Offer(blocker, WhenFull::kReject);
    pool.Offer(behind, WhenFull::kReject);
    ASSERT_TRUE(pool.AwaitIdle(InTime()));
  }
}

TEST(ThreadPoolTest, OneAfterTheOtherNeedsOneThread) {
  ThreadPool pool("lazy", {.workers = 50, .capacity = 0});
  for (int i = 0; i < 300; ++i) {
    ScriptedTask task([](Place place) {
      EXPECT_EQ(place.worker, 0u);
      return RunStatus::kFinished;
    });
    pool.Offer(task, WhenFull::kReject);
    ASSERT_TRUE(pool.AwaitIdle(InTime()));
  }
  // The thread of the task before may be on its way to sleep when the next comes.
  EXPECT_LE(pool.threads_started(), 2u);
}

TEST(ThreadPoolTest, ThreadsBeyondTheWorkersEndAfterAShrinkAndComeBackAfterGrowth) {
  ThreadPool pool("resize", {.workers = 20, .capacity = 0});
  ExpectAllRunTogether(pool, 20);
  pool.Resize({.workers = 3, .capacity = 0});
  EXPECT_TRUE(Eventually([&] { return pool.threads() == 3; }));
  ExpectAllRunTogether(pool, 3);
  pool.Resize({.workers = 20, .capacity = 0});
  ExpectAllRunTogether(pool, 20);
  EXPECT_EQ(pool.threads(), 20u);
}

TEST(ThreadPoolTest, AShrinkWhileAllAreBusyStartsNothingUntilEnoughHaveEnded) {
  ThreadPool pool("shrink", {.workers = 8, .capacity = 100});
  Gate first_gate;
  std::deque<ScriptedTask> first;
  for (int i = 0; i < 8; ++i) {
    first.emplace_back(PassThrough(first_gate));
    pool.Offer(first.back(), WhenFull::kReject);
  }
  ASSERT_TRUE(first_gate.AwaitArrivals(8));
  pool.Resize({.workers = 2, .capacity = 100});
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  std::deque<ScriptedTask> then;
  for (int i = 0; i < 50; ++i) {
    then.emplace_back([&](Place place) {
      const int now = ++running;
      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
      }
      EXPECT_LT(place.worker, 2u);
      --running;
      return RunStatus::kFinished;
    });
    pool.Offer(then.back(), WhenFull::kReject);
  }
  EXPECT_EQ(most, 0);
  first_gate.Open();
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
  EXPECT_LE(most, 2);
}

TEST(ThreadPoolTest, StartedTasksRunTogetherThoughThePoolShrinksBeforeTheirThreadsAreThere) {
  ThreadPool pool("early", {.workers = 10, .capacity = 0});
  Gate gate;
  std::deque<ScriptedTask> tasks;
  for (int i = 0; i < 10; ++i) {
    tasks.emplace_back(PassThrough(gate));
    pool.Offer(tasks.back(), WhenFull::kReject);
  }
  pool.Resize({.workers = 1, .capacity = 0});
  EXPECT_TRUE(gate.AwaitArrivals(10));
  gate.Open();
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
}

TEST(ThreadPoolTest, AThreadThatOutstaysItsPlaceDoesNotHoldUpTheNextTask) {
  ThreadPool pool("outstay", {.workers = 2, .capacity = 0});
  Gate gate;
  ScriptedTask outstaying([&](Place place) {
    pool.Finish(place);
    EXPECT_TRUE(gate.Pass());
    return RunStatus::kPending;
  });
  pool.Offer(outstaying, WhenFull::kReject);
  ASSERT_TRUE(gate.AwaitArrivals(1));
  ScriptedTask next([&](Place) {
    gate.Open();
    return RunStatus::kFinished;
  });
  pool.Offer(next, WhenFull::kReject);
  EXPECT_TRUE(Eventually([&] { return next.runs == 1; }));
  pool.Close(true);
  EXPECT_TRUE(pool.Join(InTime()));
}

TEST(ThreadPoolTest, JoinWaitsForPendingTasksUpToItsDeadline) {
  ThreadPool pool("join", {.workers = 1, .capacity = 0});
  std::atomic<bool> pending = false;
  Place held;
  ScriptedTask task([&](Place place) {
    held = place;
    pending = true;
    return RunStatus::kPending;
  });
  pool.Offer(task, WhenFull::kReject);
  ASSERT_TRUE(Eventually([&] { return pending.load(); }));
  pool.Close(true);
  EXPECT_FALSE(pool.Join(std::chrono::steady_clock::now()));
  pool.Finish(held);
  EXPECT_TRUE(pool.Join(InTime()));
  EXPECT_TRUE(pool.Join(InTime()));
  EXPECT_EQ(pool.threads(), 0u);
}

TEST(ThreadPoolTest, KnowsItsOwnThreads) {
  ThreadPool pool("own", {.workers = 1, .capacity = 0});
  ThreadPool other("other", {.workers = 1, .capacity = 0});
  std::atomic<bool> own = false;
  std::atomic<bool> of_other = true;
  ScriptedTask task([&](Place) {
    own = pool.OnOwnThread();
    of_other = other.OnOwnThread();
    return RunStatus::kFinished;
  });
  pool.Offer(task, WhenFull::kReject);
  EXPECT_TRUE(pool.AwaitIdle(InTime()));
  EXPECT_TRUE(own);
  EXPECT_FALSE(of_other);
  EXPECT_FALSE(pool.OnOwnThread());
}

TEST(ThreadPoolTest, WhatIsQueuedWhenItIsDestroyedIsLeftToItsOwner) {
  Gate gate;
  ScriptedTask active(PassThrough(gate));
  ScriptedTask queued;
  {
    ThreadPool pool("left", {.workers = 1, .capacity = 1});
    pool.Offer(active, WhenFull::kReject);
    pool.Offer(queued, WhenFull::kReject);
    ASSERT_TRUE(gate.AwaitArrivals(1));
    pool.Close(false);
    gate.Open();
  }
  EXPECT_EQ(active.runs, 1);
  EXPECT_EQ(queued.runs, 0);
}

// The pool may be destroyed as soon as its last place has been handed back, though the thread that
// did so is still on its way out of Finish.
TEST(ThreadPoolTest, MayBeDestroyedWhileTheLastFinishReturns) {
  for (int round = 0; round < 300; ++round) {
    std::thread finisher;
    ScriptedTask more[2];
    ThreadPool* the_pool = nullptr;
    ScriptedTask pending([&](Place place) {
      finisher = std::thread([the_pool, place] { the_pool->Finish(place); });
      return RunStatus::kPending;
    });
    {
      ThreadPool pool("brief", {.workers = 2, .capacity = 1});
      the_pool = &pool;
      pool.Offer(pending, WhenFull::kReject);
      for (ScriptedTask& task : more) pool.Offer(task, WhenFull::kReject);
      EXPECT_TRUE(pool.AwaitIdle(InTime()));
    }
    finisher.join();
  }
}

// Posts that wait, on a pool whose places keep being handed over: each is told before it runs, and
// none is lost, whoever makes the room.
TEST(ThreadPoolTest, WaitingPostsAreToldBeforeTheyRunWhoeverMakesRoom) {
  ThreadPool pool("waits", {.workers = 3, .capacity = 2});
  std::deque<ScriptedTask> tasks(3000);
  std::vector<Verdict> verdicts(tasks.size());
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> posters;
  for (int i = 0; i < 4; ++i) {
    posters.emplace_back([&] {
      for (std::size_t at = next++; at < tasks.size(); at = next++) {
        verdicts[at] = pool.Offer(tasks[at], WhenFull::kWait).verdict;
      }
    });
  }
  posters.clear();
  EXPECT_TRUE(Eventually([&] { return pool.Read().finished == tasks.size(); }));
  for (std::size_t at = 0; at < tasks.size(); ++at) {
    EXPECT_EQ(tasks[at].runs, 1);
    EXPECT_EQ(tasks[at].accepted_before_run, verdicts[at] == Verdict::kWaiting);
  }
  EXPECT_EQ(pool.Read().waiting, 0u);
}

}  // namespace
}  // namespace workpool
