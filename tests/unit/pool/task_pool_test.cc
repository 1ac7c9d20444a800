// What every TaskPool does beside admission: notices, idle callbacks, batches. On a ManualPool.
#include "pool/task_pool.h"

#include <gtest/gtest.h>

#include <deque>
#include <span>
#include <vector>

#include "fakes/scripted_task.h"
#include "pool/manual_pool.h"

namespace workpool {
namespace {

TEST(ManualPoolTest, RunsStartedTasksInOrderOnTheCallersThread) {
  ManualPool pool({.workers = 1, .capacity = 2});
  std::vector<int> order;
  ScriptedTask first([&](Place place) {
    EXPECT_EQ(place.worker, 0u);
    order.push_back(1);
    return RunStatus::kFinished;
  });
  ScriptedTask second([&](Place) {
    order.push_back(2);
    return RunStatus::kFinished;
  });
  pool.Offer(first, WhenFull::kReject);
  pool.Offer(second, WhenFull::kReject);
  EXPECT_TRUE(pool.RunOne());
  EXPECT_TRUE(pool.RunOne());
  EXPECT_FALSE(pool.RunOne());
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_EQ(pool.Read().finished, 2u);
}

TEST(TaskPoolTest, APendingTaskHoldsItsPlaceUntilItIsFinished) {
  ManualPool pool({.workers = 1, .capacity = 0});
  Place held;
  ScriptedTask task([&](Place place) {
    held = place;
    return RunStatus::kPending;
  });
  pool.Offer(task, WhenFull::kReject);
  EXPECT_TRUE(pool.RunOne());
  EXPECT_EQ(pool.Read().active, 1u);
  pool.Finish(held);
  EXPECT_EQ(pool.Read().active, 0u);
}

TEST(TaskPoolTest, AWaitingPostIsToldOfItsAcceptanceBeforeItRuns) {
  ManualPool pool({.workers = 1, .capacity = 0});
  ScriptedTask active;
  ScriptedTask waiting;
  pool.Offer(active, WhenFull::kReject);
  EXPECT_EQ(pool.Offer(waiting, WhenFull::kWait).verdict, Verdict::kWaiting);
  EXPECT_FALSE(waiting.accepted);
  pool.RunOne();
  EXPECT_TRUE(waiting.accepted);
  EXPECT_TRUE(pool.RunOne());
  EXPECT_TRUE(waiting.accepted_before_run);
}

// Records how many of its pool's posts are told in one go.
class ToldTask final : public Task {
 public:
  explicit ToldTask(std::vector<std::size_t>& told) : told_(told) {}
  RunStatus Run(Place) noexcept override { return RunStatus::kFinished; }
  void AllAccepted(std::span<Task* const> tasks) noexcept override {
    EXPECT_EQ(tasks.front(), this);
    told_.push_back(tasks.size());
  }

 private:
  std::vector<std::size_t>& told_;
};

TEST(TaskPoolTest, PostsAcceptedTogetherAreToldTogether) {
  ManualPool pool({.workers = 1, .capacity = 0});
  std::vector<std::size_t> told;
  std::deque<ToldTask> waiting;
  ScriptedTask active;
  pool.Offer(active, WhenFull::kReject);
  for (int i = 0; i < 100; ++i) pool.Offer(waiting.emplace_back(told), WhenFull::kWait);
  pool.Resize({.workers = 1, .capacity = 100});
  EXPECT_EQ(told, (std::vector<std::size_t>{64, 36}));
  for (int i = 0; i < 101; ++i) EXPECT_TRUE(pool.RunOne());
  EXPECT_FALSE(pool.RunOne());
}

TEST(TaskPoolTest, DrainTellsWaitingPostsWhyTheyAreRefused) {
  ManualPool pool({.workers = 1, .capacity = 0});
  ScriptedTask active;
  ScriptedTask waiting;
  pool.Offer(active, WhenFull::kReject);
  pool.Offer(waiting, WhenFull::kWait);
  pool.Drain();
  EXPECT_TRUE(waiting.refused);
  EXPECT_EQ(waiting.refusal, Refusal::kDraining);
}

TEST(TaskPoolTest, TheOwnerMayPublishOrRevokeWhileItIsTold) {
  ManualPool pool({.workers = 1, .capacity = 0});
  ScriptedTask active;
  ScriptedTask published;
  ScriptedTask revoked;
  published.on_accepted = [&] { pool.Publish(published); };
  revoked.on_accepted = [&] { EXPECT_TRUE(pool.Revoke(revoked, Refusal::kStore)); };
  pool.Offer(active, WhenFull::kReject);
  pool.Offer(published, WhenFull::kWait, false);
  pool.Offer(revoked, WhenFull::kWait, false);
  while (pool.RunOne()) {
  }
  EXPECT_EQ(published.runs, 1);
  EXPECT_EQ(revoked.runs, 0);
  const PoolStats stats = pool.Read();
  EXPECT_EQ(stats.active, 0u);
  EXPECT_EQ(stats.accepted, 2u);
  EXPECT_EQ(stats.refused[static_cast<std::size_t>(Refusal::kStore)], 1u);
}

TEST(TaskPoolTest, GivingUpIsFalseOnceThePostIsAccepted) {
  ManualPool pool({.workers = 1, .capacity = 0});
  ScriptedTask active;
  ScriptedTask waiting;
  ScriptedTask other;
  bool given_up = true;
  waiting.on_accepted = [&] { given_up = pool.GiveUp(waiting, Refusal::kWaitTimeout); };
  pool.Offer(active, WhenFull::kReject);
  pool.Offer(waiting, WhenFull::kWait);
  pool.Offer(other, WhenFull::kWait);
  EXPECT_TRUE(pool.GiveUp(other, Refusal::kWaitTimeout));
  pool.RunOne();
  EXPECT_FALSE(given_up);
  EXPECT_EQ(pool.Read().refused[static_cast<std::size_t>(Refusal::kWaitTimeout)], 1u);
}

TEST(TaskPoolTest, ABatchIsOfferedInOrderAndPublishedTogether) {
  ManualPool pool({.workers = 1, .capacity = 1});
  std::vector<ScriptedTask> tasks(3);
  std::vector<Task*> batch;
  for (ScriptedTask& task : tasks) batch.push_back(&task);
  std::vector<OfferResult> results;
  pool.OfferMany(batch, WhenFull::kReject, results, false);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].verdict, Verdict::kStarted);
  EXPECT_EQ(results[1].verdict, Verdict::kQueued);
  EXPECT_EQ(results[2].verdict, Verdict::kRefused);
  EXPECT_FALSE(pool.RunOne());
  batch.pop_back();
  pool.PublishMany(batch);
  EXPECT_TRUE(pool.RunOne());
  EXPECT_TRUE(pool.RunOne());
}

TEST(TaskPoolTest, OffersUntilOneWouldWaitAndLeavesTheRestUncounted) {
  ManualPool pool({.workers = 1, .capacity = 1, .max_waiting = 1});
  std::vector<ScriptedTask> tasks(5);
  std::vector<Task*> batch;
  for (ScriptedTask& task : tasks) batch.push_back(&task);
  std::vector<OfferResult> results;
  pool.OfferUntilWait(batch, results);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].verdict, Verdict::kStarted);
  EXPECT_EQ(results[1].verdict, Verdict::kQueued);
  EXPECT_EQ(pool.Read().Posted(), 2u);
  pool.Offer(tasks[2], WhenFull::kWait);

  // With no place to wait either, refusals are results.
  results.clear();
  pool.OfferUntilWait(std::span(batch).subspan(3), results);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].verdict, Verdict::kRefused);
  EXPECT_EQ(results[1].verdict, Verdict::kRefused);
  EXPECT_EQ(pool.Read().waiting, 1u);
}

TEST(TaskPoolTest, WhenIdleIsCalledAtOnceOrByTheLastTask) {
  ManualPool pool({.workers = 1, .capacity = 1});
  int called = 0;
  pool.WhenIdle([&] { ++called; });
  EXPECT_EQ(called, 1);
  ScriptedTask first;
  ScriptedTask second;
  pool.Offer(first, WhenFull::kReject);
  pool.Offer(second, WhenFull::kReject);
  pool.WhenIdle([&] { ++called; });
  pool.RunOne();
  EXPECT_EQ(called, 1);
  pool.RunOne();
  EXPECT_EQ(called, 2);
}

TEST(TaskPoolTest, WhenIdleDoesNotWaitForWhatMayNotStartAnyMore) {
  ManualPool pool({.workers = 1, .capacity = 1});
  ScriptedTask active;
  ScriptedTask queued;
  pool.Offer(active, WhenFull::kReject);
  pool.Offer(queued, WhenFull::kReject);
  pool.Close(false);
  bool idle = false;
  pool.WhenIdle([&] { idle = true; });
  EXPECT_FALSE(idle);
  pool.RunOne();
  EXPECT_TRUE(idle);
  EXPECT_EQ(pool.TakeQueued(), (std::vector<Task*>{&queued}));
}

TEST(TaskPoolTest, AnIdleCallbackMayUseThePool) {
  ManualPool pool({.workers = 1, .capacity = 1});
  ScriptedTask task;
  pool.Drain();
  pool.WhenIdle([&] {
    pool.Resume();
    pool.Offer(task, WhenFull::kReject);
  });
  EXPECT_TRUE(pool.RunOne());
}

TEST(TaskPoolTest, AwaitIdleTellsAtItsDeadlineWhetherThePoolIsIdle) {
  ManualPool pool({.workers = 1, .capacity = 1});
  EXPECT_TRUE(pool.AwaitIdle(SteadyTime::min()));
  ScriptedTask task;
  pool.Offer(task, WhenFull::kReject);
  EXPECT_FALSE(pool.AwaitIdle(SteadyTime::min()));
}

TEST(TaskPoolTest, WindowsHoldThePeaksSinceTheyWereTaken) {
  ManualPool pool({.workers = 1, .capacity = 5});
  PeakWindow window;
  pool.AddWindow(window);
  std::vector<ScriptedTask> tasks(4);
  for (ScriptedTask& task : tasks) pool.Offer(task, WhenFull::kReject);
  EXPECT_EQ(pool.TakeWindow(window).queued_peak, 3u);
  while (pool.RunOne()) {
  }
  EXPECT_EQ(pool.TakeWindow(window).queued_peak, 3u);
  EXPECT_EQ(pool.TakeWindow(window).queued_peak, 0u);
  pool.RemoveWindow(window);
}

}  // namespace
}  // namespace workpool
