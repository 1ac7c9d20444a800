// Weights and limits of active tasks, rule by rule, by example; docs/admission.md states them.
#include <gtest/gtest.h>

#include <vector>

#include "fakes/idle_task.h"
#include "unit/pool/admission_steps.h"

namespace workpool {
namespace {

struct HeavyTask : IdleTask {
  explicit HeavyTask(std::uint32_t the_weight, int the_priority = kDefaultPriority)
      : IdleTask(the_priority) {
    weight = the_weight;
  }
};
struct GroupTask : IdleTask {
  explicit GroupTask(LimitGroup& the_group, int the_priority = kDefaultPriority)
      : IdleTask(the_priority) {
    group = &the_group;
  }
};

// All that has started and been told, in order, without finishing it.
std::vector<Admission::Started> TakeAll(Admission& admission) {
  TellAll(admission);
  std::vector<Admission::Started> taken;
  for (auto next = admission.TakeReady(); next.task != nullptr; next = admission.TakeReady()) {
    taken.push_back(next);
  }
  return taken;
}
std::vector<Task*> TasksOf(const std::vector<Admission::Started>& started) {
  std::vector<Task*> tasks;
  for (const auto& each : started) tasks.push_back(each.task);
  return tasks;
}
std::vector<Task*> Starting(Admission& admission) { return TasksOf(TakeAll(admission)); }

using Tasks = std::vector<Task*>;

// --- weights ---------------------------------------------------------------------------------

TEST(AdmissionWeightTest, ATaskTakesAsManyPlacesAsItWeighs) {
  Admission admission({.workers = 5, .capacity = 9});
  HeavyTask a(3), b(2), c(1);
  EXPECT_EQ(Try(admission, a), Verdict::kStarted);
  EXPECT_EQ(admission.Read().places_taken, 3u);
  EXPECT_EQ(admission.Read().WorkersIdle(), 2u);
  EXPECT_EQ(Try(admission, b), Verdict::kStarted);
  EXPECT_EQ(Try(admission, c), Verdict::kQueued);
  const PoolStats stats = admission.Read();
  EXPECT_EQ(stats.active, 2u);
  EXPECT_EQ(stats.places_taken, 5u);
  EXPECT_EQ(stats.WorkersIdle(), 0u);
  admission.Finish(TakeAll(admission)[0].place);
  EXPECT_EQ(admission.Read().places_taken, 3u);
  EXPECT_EQ(Starting(admission), Tasks{&c});
}

TEST(AdmissionWeightTest, OneNumberAWorkerWhateverItsWeight) {
  Admission admission({.workers = 4, .capacity = 0});
  HeavyTask a(3), b(1);
  Try(admission, a);
  Try(admission, b);
  const auto started = TakeAll(admission);
  EXPECT_EQ(started[0].place.worker, 0u);
  EXPECT_EQ(started[1].place.worker, 1u);
}

TEST(AdmissionWeightTest, OneThatLacksPlacesIsNotOvertakenByItsPriorityOrBelowButByThoseAbove) {
  Admission admission({.workers = 3, .capacity = 9});
  HeavyTask running(2), heavy(3), light(1), low(1, 2), urgent(1, 8);
  Try(admission, running);
  EXPECT_EQ(Try(admission, heavy), Verdict::kQueued);
  EXPECT_EQ(Try(admission, light), Verdict::kQueued);  // though a place is free
  EXPECT_EQ(Try(admission, low), Verdict::kQueued);
  EXPECT_EQ(Try(admission, urgent), Verdict::kStarted);
  auto started = TakeAll(admission);
  ASSERT_EQ(TasksOf(started), (Tasks{&running, &urgent}));
  admission.Finish(started[0].place);
  EXPECT_FALSE(admission.HasReady());
  admission.Finish(started[1].place);
  started = TakeAll(admission);
  ASSERT_EQ(TasksOf(started), Tasks{&heavy});
  admission.Finish(started[0].place);
  EXPECT_EQ(Starting(admission), (Tasks{&light, &low}));
}

TEST(AdmissionWeightTest, WithoutAQueueAHeavyPostIsRefusedWhileItLacksPlaces) {
  Admission admission({.workers = 3, .capacity = 0});
  HeavyTask running(2), heavy(2), light(1);
  Try(admission, running);
  EXPECT_EQ(Try(admission, heavy), Verdict::kRefused);
  EXPECT_EQ(Try(admission, light), Verdict::kStarted);
}

TEST(AdmissionWeightTest, AHeavyWaitingPostIsNotOvertakenByALighterOneOfItsPriority) {
  Admission admission({.workers = 3, .capacity = 0});
  HeavyTask running(2), heavy(2), light(1), urgent(1, 8);
  Try(admission, running);
  EXPECT_EQ(Wait(admission, heavy), Verdict::kWaiting);
  EXPECT_EQ(Wait(admission, light), Verdict::kWaiting);
  EXPECT_EQ(Try(admission, urgent), Verdict::kStarted);
  auto started = TakeAll(admission);
  admission.Finish(started[1].place);  // the urgent one: a place for the light one alone
  EXPECT_FALSE(admission.HasNotice());
  admission.Finish(started[0].place);
  EXPECT_EQ(Starting(admission), (Tasks{&heavy, &light}));
}

TEST(AdmissionWeightTest, HeavierThanThePoolIsRefusedAtItsPost) {
  Admission admission({.workers = 3, .capacity = 9});
  HeavyTask four(4), three(3);
  const OfferResult refused = admission.Offer(four, WhenFull::kWait);
  EXPECT_EQ(refused.verdict, Verdict::kRefused);
  EXPECT_EQ(refused.refusal, Refusal::kTooHeavy);
  EXPECT_EQ(Try(admission, three), Verdict::kStarted);
}

TEST(AdmissionWeightTest, HeavierThanThePoolHasBecomeRunsAloneInItsTurn) {
  Admission admission({.workers = 4, .capacity = 9});
  HeavyTask first(1), heavy(4), after(1);
  for (Task* task : Tasks{&first, &heavy, &after}) Try(admission, *task);
  admission.Resize({.workers = 2, .capacity = 9});
  auto started = TakeAll(admission);
  ASSERT_EQ(TasksOf(started), Tasks{&first});
  admission.Finish(started[0].place);
  started = TakeAll(admission);
  ASSERT_EQ(TasksOf(started), Tasks{&heavy});
  EXPECT_EQ(admission.Read().places_taken, 4u);
  EXPECT_EQ(admission.Read().WorkersIdle(), 0u);
  admission.Finish(started[0].place);
  EXPECT_EQ(Starting(admission), Tasks{&after});
}

TEST(AdmissionWeightTest, AWaitingPostHeavierThanThePoolHasBecomeGetsItsTurnToo) {
  Admission admission({.workers = 4, .capacity = 0});
  HeavyTask first(4), heavy(3);
  Try(admission, first);
  EXPECT_EQ(Wait(admission, heavy), Verdict::kWaiting);
  admission.Resize({.workers = 2, .capacity = 0});
  admission.Finish(TakeAll(admission)[0].place);
  EXPECT_EQ(Starting(admission), Tasks{&heavy});
}

TEST(AdmissionWeightTest, WithdrawingAHeavyOneLetsThoseBehindItStart) {
  Admission admission({.workers = 2, .capacity = 9});
  HeavyTask running(1), heavy(2), light(1);
  for (Task* task : Tasks{&running, &heavy, &light}) Try(admission, *task);
  EXPECT_EQ(Starting(admission), Tasks{&running});
  EXPECT_TRUE(admission.Withdraw(heavy));
  EXPECT_EQ(Starting(admission), Tasks{&light});
}

TEST(AdmissionWeightTest, WithdrawingAStartedOneFreesAllItsPlaces) {
  Admission admission({.workers = 3, .capacity = 9});
  HeavyTask heavy(3), next(3);
  Try(admission, heavy);
  Try(admission, next);
  EXPECT_TRUE(admission.Withdraw(heavy));
  EXPECT_EQ(admission.Read().places_taken, 3u);
  EXPECT_EQ(Starting(admission), Tasks{&next});
}

// --- limits ----------------------------------------------------------------------------------

TEST(AdmissionLimitTest, AGroupAtItsLimitIsPassedOverAndKeepsItsRank) {
  Admission admission({.workers = 3, .capacity = 9});
  LimitGroup group;
  admission.Limit(group, 1);
  GroupTask a(group), b(group), c(group);
  IdleTask other, later;
  EXPECT_EQ(Try(admission, a), Verdict::kStarted);
  EXPECT_EQ(Try(admission, b), Verdict::kQueued);
  EXPECT_EQ(Try(admission, other), Verdict::kStarted);  // b is not ahead of it
  EXPECT_EQ(Try(admission, c), Verdict::kQueued);
  IdleTask third;
  EXPECT_EQ(Try(admission, third), Verdict::kStarted);
  EXPECT_EQ(Try(admission, later), Verdict::kQueued);
  auto started = TakeAll(admission);
  ASSERT_EQ(TasksOf(started), (Tasks{&a, &other, &third}));
  admission.Finish(started[0].place);  // b was accepted before `later`
  started = TakeAll(admission);
  ASSERT_EQ(TasksOf(started), Tasks{&b});
}

TEST(AdmissionLimitTest, WhatIsPassedOverCountsInTheQueue) {
  Admission admission({.workers = 2, .capacity = 1});
  LimitGroup group;
  admission.Limit(group, 1);
  GroupTask a(group), b(group), c(group);
  IdleTask other, full;
  Try(admission, a);
  EXPECT_EQ(Try(admission, b), Verdict::kQueued);
  EXPECT_EQ(Try(admission, c), Verdict::kRefused);
  EXPECT_EQ(Try(admission, other), Verdict::kStarted);
  EXPECT_EQ(Try(admission, full), Verdict::kRefused);
  EXPECT_EQ(admission.Read().queued, 1u);
}

TEST(AdmissionLimitTest, APassedOverWaitingPostLetsOthersStartButNotQueueAheadOfIt) {
  Admission admission({.workers = 2, .capacity = 0});
  LimitGroup group;
  admission.Limit(group, 1);
  GroupTask a(group), b(group);
  IdleTask other, next;
  Try(admission, a);
  EXPECT_EQ(Wait(admission, b), Verdict::kWaiting);
  EXPECT_EQ(Try(admission, other), Verdict::kStarted);
  EXPECT_EQ(Wait(admission, next), Verdict::kWaiting);
  auto started = TakeAll(admission);
  admission.Finish(started[1].place);
  ASSERT_EQ(Starting(admission), Tasks{&next});
  admission.Resize({.workers = 2, .capacity = 1});
  EXPECT_EQ(admission.Read().queued, 1u);
  admission.Finish(started[0].place);
  EXPECT_EQ(Starting(admission), Tasks{&b});
}

TEST(AdmissionLimitTest, AHeavyOneThatIsPassedOverHoldsUpNobody) {
  Admission admission({.workers = 3, .capacity = 9});
  LimitGroup group;
  admission.Limit(group, 1);
  GroupTask a(group), heavy(group);
  heavy.weight = 3;
  IdleTask light;
  Try(admission, a);
  EXPECT_EQ(Try(admission, heavy), Verdict::kQueued);
  EXPECT_EQ(Try(admission, light), Verdict::kStarted);
  auto started = TakeAll(admission);
  admission.Finish(started[0].place);  // now it merely lacks places
  IdleTask behind;
  EXPECT_EQ(Try(admission, behind), Verdict::kQueued);
  admission.Finish(started[1].place);
  EXPECT_EQ(Starting(admission), Tasks{&heavy});
}

TEST(AdmissionLimitTest, TheOrderHoldsAmongAllGroupsThatCanStart) {
  Admission admission({.workers = 1, .capacity = 9});
  LimitGroup one, two;
  admission.Limit(one, 3);
  admission.Limit(two, 3);
  IdleTask running, c;
  GroupTask a(one), b(two), d(one), urgent(two, 7);
  for (Task* task : Tasks{&running, &a, &b, &c, &d, &urgent}) Try(admission, *task);
  Tasks order;
  for (auto next = admission.TakeReady(); next.task != nullptr; next = admission.TakeReady()) {
    order.push_back(next.task);
    admission.Finish(next.place);
  }
  EXPECT_EQ(order, (Tasks{&running, &urgent, &a, &b, &c, &d}));
}

TEST(AdmissionLimitTest, AHigherLimitServesAtOnceALowerOneStopsNothing) {
  Admission admission({.workers = 4, .capacity = 9});
  LimitGroup group;
  admission.Limit(group, 1);
  GroupTask a(group), b(group), c(group), d(group);
  for (Task* task : Tasks{&a, &b, &c, &d}) Try(admission, *task);
  auto first = TakeAll(admission);
  ASSERT_EQ(TasksOf(first), Tasks{&a});
  admission.Limit(group, 3);
  auto more = TakeAll(admission);
  ASSERT_EQ(TasksOf(more), (Tasks{&b, &c}));
  admission.Limit(group, 1);
  admission.Finish(first[0].place);
  admission.Finish(more[0].place);
  EXPECT_FALSE(admission.HasReady());
  admission.Finish(more[1].place);
  EXPECT_EQ(Starting(admission), Tasks{&d});
}

TEST(AdmissionLimitTest, ALimitThatComesCountsWhatRunsAndOneThatGoesKeepsTheOrder) {
  Admission admission({.workers = 2, .capacity = 9});
  LimitGroup group;
  GroupTask a(group), b(group), c(group), d(group);
  IdleTask other, last;
  for (Task* task : Tasks{&a, &b, &c, &other, &d, &last}) Try(admission, *task);
  auto started = TakeAll(admission);
  ASSERT_EQ(TasksOf(started), (Tasks{&a, &b}));
  admission.Limit(group, 1);  // two run
  admission.Finish(started[0].place);
  const auto passed = TakeAll(admission);
  ASSERT_EQ(TasksOf(passed), Tasks{&other});
  admission.Pause();
  admission.Limit(group, 0);
  EXPECT_EQ(admission.TakeQueued(), (Tasks{&c, &d, &last}));
}

TEST(AdmissionLimitTest, AReservationCountsAndARevokedOneFreesTheGroup) {
  Admission admission({.workers = 3, .capacity = 9});
  LimitGroup group;
  admission.Limit(group, 1);
  GroupTask a(group), b(group);
  EXPECT_EQ(admission.Offer(a, WhenFull::kReject, /*publish=*/false).verdict, Verdict::kStarted);
  EXPECT_EQ(Try(admission, b), Verdict::kQueued);
  EXPECT_TRUE(admission.Revoke(a, Refusal::kStore));
  EXPECT_EQ(Starting(admission), Tasks{&b});
}

TEST(AdmissionLimitTest, TheOldestAndAllQueuedAreFoundInEveryGroup) {
  Admission admission({.workers = 1, .capacity = 9});
  LimitGroup group;
  admission.Limit(group, 1);
  IdleTask running, plain;
  GroupTask grouped(group);
  Try(admission, running);
  plain.offered_at = SteadyTime(std::chrono::seconds(2));
  grouped.offered_at = SteadyTime(std::chrono::seconds(1));
  Try(admission, grouped);
  Try(admission, plain);
  EXPECT_EQ(admission.Read().oldest_queued, grouped.offered_at);
  EXPECT_EQ(admission.Read().queued, 2u);
  EXPECT_EQ(admission.TakeQueued(), (Tasks{&grouped, &plain}));
}

}  // namespace
}  // namespace workpool
