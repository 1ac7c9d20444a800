// The work pool as its users see it: closures, blocking posts, completions.
#include "pool/work_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "unit/pool/gate.h"
#include "unit/pool/tested_pool.h"

namespace workpool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class WorkPoolTest : public BothKindsTest {};
WORKPOOL_TEST_BOTH_KINDS(WorkPoolTest);

std::uint64_t Refused(const WorkPool& pool, Refusal why) {
  return pool.Read().refused[static_cast<std::size_t>(why)];
}

TEST_P(WorkPoolTest, RunsWhatItAcceptsAndSaysWhenItIsFull) {
  Gate gate;
  std::atomic<int> ran = 0;
  TestedPool pool({.name = "images", .workers = 1, .capacity = 1});
  ASSERT_TRUE(pool.TryPost(PassThrough(gate)));
  ASSERT_TRUE(pool.TryPost([&](Worker& worker) {
    EXPECT_EQ(worker.number(), 0u);
    ++ran;
  }));
  const WorkPool::Posted posted = pool.TryPost(Nothing);
  ASSERT_FALSE(posted);
  EXPECT_EQ(posted.error(), Refusal::kQueueFull);
  gate.Open();
  const WorkPool::StopReport report = pool.Stop(kForEver);
  EXPECT_EQ(report.dropped, 0u);
  EXPECT_EQ(report.running, 0u);
  EXPECT_EQ(ran, 1);
}

TEST_P(WorkPoolTest, MisuseIsToldByExceptions) {
  EXPECT_THROW(WorkPool({.workers = 0}), std::invalid_argument);
  TestedPool pool({.capacity = 1});
  EXPECT_THROW((void)pool.TryPost(Nothing, {.priority = 10}), std::invalid_argument);
  EXPECT_THROW((void)pool.Post(Nothing, {.priority = 255}), std::invalid_argument);
  EXPECT_THROW((void)pool.TryPost(WorkPool::Work()), std::invalid_argument);
  EXPECT_THROW(pool.Resize(0, 1), std::invalid_argument);
  EXPECT_EQ(pool.Read().Posted(), 0u);
}

TEST(WorkPoolWeightTest, AClosureTakesAsManyWorkersAsItWeighs) {
  WorkPool pool({.workers = 3, .capacity = 1, .weights = true});
  Gate gate;
  const auto hold = [&gate](Worker&) { EXPECT_TRUE(gate.Pass()); };
  EXPECT_EQ(pool.TryPost(hold, {.weight = 4}).error(), Refusal::kTooHeavy);
  EXPECT_TRUE(pool.TryPost(hold, {.weight = 2}));
  EXPECT_TRUE(pool.TryPost(hold, {.weight = 2}));  // waits for its places
  EXPECT_FALSE(pool.TryPost(hold));                // does not overtake it
  const PoolStats stats = pool.Read();
  EXPECT_EQ(stats.active, 1u);
  EXPECT_EQ(stats.places_taken, 2u);
  EXPECT_EQ(stats.queued, 1u);
  gate.Open();
  EXPECT_TRUE(pool.Drain(InTime()));
  EXPECT_EQ(pool.Read().finished, 2u);
}

TEST(WorkPoolOptionsTest, WhatAPoolDoesNotOfferIsToldByItsName) {
  const auto message = [](const WorkPoolOptions& options, const PostOptions& post) -> std::string {
    WorkPool pool(options);
    try {
      (void)pool.TryPost(Nothing, post);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message({}, {.priority = 6}).find("`priorities`"), std::string::npos);
  EXPECT_NE(message({}, {.weight = 2}).find("`weights`"), std::string::npos);
  EXPECT_NE(message({.weights = true}, {.weight = 0}).find("weight 0"), std::string::npos);
  EXPECT_EQ(message({.workers = 2, .weights = true}, {.weight = 2}), "accepted");
  EXPECT_NE(message({}, {.bytes = 1}).find("`capacity_bytes`"), std::string::npos);
  EXPECT_NE(message({.priorities = true}, {.bytes = 1}).find("`capacity_bytes`"),
            std::string::npos);
  EXPECT_EQ(message({.priorities = true}, {.priority = 6}), "accepted");
  EXPECT_NE(message({.capacity_bytes = 5}, {.priority = 6}).find("`priorities`"),
            std::string::npos);
  EXPECT_EQ(message({.capacity_bytes = 5}, {.bytes = 5}), "accepted");
}

TEST(WorkPoolOptionsTest, TheExtremePrioritiesAreServedInOrder) {
  WorkPool pool({.workers = 1, .capacity = 10, .priorities = true});
  pool.Pause();
  std::vector<int> order;
  for (const int priority : {0, 9, 5, 9, 0}) {
    ASSERT_TRUE(pool.TryPost([&order, priority](Worker&) { order.push_back(priority); },
                             {.priority = static_cast<std::uint8_t>(priority)}));
  }
  pool.Resume();
  pool.Stop(kForEver);
  EXPECT_EQ(order, (std::vector<int>{9, 9, 5, 0, 0}));
}

TEST_P(WorkPoolTest, WorkersHaveTheNumbersZeroToNMinusOne) {
  Gate gate;
  Mutex mutex;
  std::set<std::uint32_t> numbers;
  TestedPool pool({.workers = 4, .capacity = 0});
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(pool.TryPost([&](Worker& worker) {
      {
        const MutexLock lock(mutex);
        numbers.insert(worker.number());
      }
      EXPECT_TRUE(gate.Pass());
    }));
  }
  EXPECT_TRUE(gate.AwaitArrivals(4));
  gate.Open();
  pool.Stop(kForEver);
  EXPECT_EQ(numbers, (std::set<std::uint32_t>{0, 1, 2, 3}));
}

// --- exceptions -----------------------------------------------------------------------------

TEST_P(WorkPoolTest, ExceptionsOfEveryTypeAreCaughtAndReportedAndTheWorkerLives) {
  struct Odd {};
  std::vector<std::string> callers;
  TestedPool pool({.workers = 1,
                   .capacity = 10,
                   .on_exception = [&](std::exception_ptr thrown, const std::string& caller) {
                     EXPECT_TRUE(thrown);
                     callers.push_back(caller);
                   }});
  ASSERT_TRUE(
      pool.Post([](Worker&) { throw std::runtime_error("x"); }, {.caller = "std"}, In(kHang)));
  ASSERT_TRUE(pool.Post([](Worker&) { throw 7; }, {.caller = "int"}, In(kHang)));
  ASSERT_TRUE(pool.Post([](Worker&) { throw Odd(); }, {.caller = "odd"}, In(kHang)));
  std::atomic<bool> ran = false;
  ASSERT_TRUE(pool.Post([&](Worker&) { ran = true; }, {}, In(kHang)));
  pool.Stop(kForEver);
  EXPECT_TRUE(ran);
  EXPECT_EQ(callers, (std::vector<std::string>{"std", "int", "odd"}));
  EXPECT_EQ(pool.exceptions(), 3u);
  EXPECT_EQ(pool.Read().finished, 4u);
  EXPECT_EQ(pool.Read().active, 0u);
}

TEST_P(WorkPoolTest, WithoutAListenerExceptionsAreOnlyCounted) {
  TestedPool pool({.capacity = 1});
  ASSERT_TRUE(pool.TryPost([](Worker&) { throw 1; }));
  pool.Stop(kForEver);
  EXPECT_EQ(pool.exceptions(), 1u);
}

// --- posts that wait ------------------------------------------------------------------------

TEST_P(WorkPoolTest, ABlockingPostGetsThePlaceThatBecomesFree) {
  Gate gate;
  TestedPool pool({.workers = 1, .capacity = 0});
  ASSERT_TRUE(pool.TryPost(PassThrough(gate)));
  std::atomic<bool> ran = false;
  std::jthread poster([&] { EXPECT_TRUE(pool.Post([&](Worker&) { ran = true; })); });
  EXPECT_TRUE(Eventually([&] { return pool.Read().waiting == 1; }));
  gate.Open();
  poster.join();
  pool.Stop(kForEver);
  EXPECT_TRUE(ran);
}

TEST_P(WorkPoolTest, ABlockingPostGivesUpAtItsDeadline) {
  Gate gate;
  TestedPool pool({.workers = 1, .capacity = 0});
  ASSERT_TRUE(pool.TryPost(PassThrough(gate)));
  const WorkPool::Posted posted = pool.Post(Nothing, {}, In(milliseconds(5)));
  ASSERT_FALSE(posted);
  EXPECT_EQ(posted.error(), Refusal::kWaitTimeout);
  EXPECT_EQ(pool.Read().waiting, 0u);
  EXPECT_EQ(Refused(pool, Refusal::kWaitTimeout), 1u);
  gate.Open();
}

TEST_P(WorkPoolTest, ABlockingPostGivesUpWhenItIsToldTo) {
  Gate gate;
  TestedPool pool({.workers = 1, .capacity = 0});
  ASSERT_TRUE(pool.TryPost(PassThrough(gate)));
  std::jthread poster([&](const std::stop_token& stop) {
    const WorkPool::Posted posted = pool.Post(Nothing, {}, std::nullopt, stop);
    ASSERT_FALSE(posted);
    EXPECT_EQ(posted.error(), Refusal::kCancelled);
  });
  EXPECT_TRUE(Eventually([&] { return pool.Read().waiting == 1; }));
  poster.request_stop();
  poster.join();
  EXPECT_EQ(Refused(pool, Refusal::kCancelled), 1u);
  gate.Open();
}

TEST_P(WorkPoolTest, OnePosterTooManyIsRefusedAtOnce) {
  Gate gate;
  TestedPool pool({.workers = 1, .capacity = 0, .max_waiting = 1});
  ASSERT_TRUE(pool.TryPost(PassThrough(gate)));
  std::jthread poster([&] { EXPECT_TRUE(pool.Post(Nothing)); });
  EXPECT_TRUE(Eventually([&] { return pool.Read().waiting == 1; }));
  const WorkPool::Posted posted = pool.Post(Nothing);
  ASSERT_FALSE(posted);
  EXPECT_EQ(posted.error(), Refusal::kQueueFull);
  gate.Open();
}

// Case 29: one worker, a queue of one, a hundred posters that wait.
TEST_P(WorkPoolTest, AHundredWaitingPostersAreAllServed) {
  std::atomic<int> ran = 0;
  TestedPool pool({.workers = 1, .capacity = 1});
  std::vector<std::jthread> posters;
  for (int i = 0; i < 100; ++i) {
    posters.emplace_back([&] { EXPECT_TRUE(pool.Post([&](Worker&) { ++ran; })); });
  }
  posters.clear();
  pool.Stop(kForEver);
  EXPECT_EQ(ran, 100);
  EXPECT_EQ(pool.Read().waiting, 0u);
}

// Case 30: a closure that posts to its own full pool.
TEST_P(WorkPoolTest, AWorkerThatPostsToItsOwnFullPoolGetsItsAnswerByTheDeadline) {
  std::atomic<bool> refused = false;
  std::atomic<bool> threw = false;
  TestedPool pool({.workers = 1, .capacity = 0});
  ASSERT_TRUE(pool.TryPost([&](Worker&) {
    const WorkPool::Posted posted = pool.Post(Nothing, {}, In(milliseconds(10)));
    refused = !posted && posted.error() == Refusal::kWaitTimeout;
    try {
      (void)pool.Post(Nothing);
    } catch (const std::logic_error&) {
      threw = true;
    }
  }));
  EXPECT_TRUE(Eventually([&] { return pool.Read().finished == 1; }));
  EXPECT_TRUE(refused);
  EXPECT_TRUE(threw);
  EXPECT_TRUE(pool.Post(Nothing, {}, In(kHang)));  // the pool is alive
}

// Case 35: a poster that waits on a paused pool is served by resume.
TEST_P(WorkPoolTest, APosterThatWaitsOnAPausedPoolIsServedByResume) {
  TestedPool pool({.workers = 1, .capacity = 0});
  pool.Pause();
  std::jthread poster([&] { EXPECT_TRUE(pool.Post(Nothing)); });
  EXPECT_TRUE(Eventually([&] { return pool.Read().waiting == 1; }));
  EXPECT_EQ(pool.Read().active, 0u);
  pool.Resume();
  poster.join();
  EXPECT_TRUE(Eventually([&] { return pool.Read().finished == 1; }));
}

TEST_P(WorkPoolTest, ALargerPoolServesItsWaitingPosters) {
  Gate gate;
  TestedPool pool({.workers = 1, .capacity = 0});
  ASSERT_TRUE(pool.TryPost(PassThrough(gate)));
  std::vector<std::jthread> posters;
  for (int i = 0; i < 3; ++i) {
    posters.emplace_back([&] { EXPECT_TRUE(pool.Post(PassThrough(gate))); });
  }
  EXPECT_TRUE(Eventually([&] { return pool.Read().waiting == 3; }));
  pool.Resize(2, 2);
  posters.clear();
  EXPECT_EQ(pool.Read().active, 2u);
  EXPECT_EQ(pool.Read().queued, 2u);
  gate.Open();
}

// --- completion from elsewhere --------------------------------------------------------------

TEST_P(WorkPoolTest, ADeferredClosureHoldsItsWorkerUntilItIsCompleted) {
  TestedPool pool({.workers = 1, .capacity = 0});
  Completion completion;
  std::atomic<bool> returned = false;
  ASSERT_TRUE(pool.TryPost([&](Worker& worker) {
    completion = worker.Defer();
    EXPECT_THROW((void)worker.Defer(), std::logic_error);
    returned = true;
  }));
  EXPECT_TRUE(Eventually([&] { return returned.load(); }));
  EXPECT_EQ(pool.Read().active, 1u);
  EXPECT_FALSE(pool.TryPost(Nothing));
  completion.Complete();
  completion.Complete();
  EXPECT_EQ(pool.Read().active, 0u);
  EXPECT_EQ(pool.Read().finished, 1u);
  EXPECT_TRUE(pool.TryPost(Nothing));
}

TEST_P(WorkPoolTest, ALostCompletionFreesItsWorker) {
  TestedPool pool({.workers = 1, .capacity = 1});
  ASSERT_TRUE(pool.TryPost([](Worker& worker) { (void)worker.Defer(); }));
  ASSERT_TRUE(pool.TryPost([](Worker& worker) {
    const Completion completion = worker.Defer();
    throw 1;
  }));
  EXPECT_TRUE(Eventually([&] { return pool.Read().finished == 2; }));
  EXPECT_EQ(pool.Read().active, 0u);
}

TEST_P(WorkPoolTest, ThePoolMayGoAsSoonAsTheLastCompletionIsComplete) {
  for (int round = 0; round < 200; ++round) {
    std::jthread elsewhere;
    TestedPool pool({.workers = 1, .capacity = 0});
    ASSERT_TRUE(pool.TryPost([&](Worker& worker) {
      elsewhere = std::jthread([completion = worker.Defer()]() mutable { completion.Complete(); });
    }));
  }
}

}  // namespace
}  // namespace workpool
