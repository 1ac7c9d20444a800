// The rules of admission, one by one, by example; docs/admission.md states them.
#include "pool/admission.h"

#include <gtest/gtest.h>

#include <vector>

#include "fakes/idle_task.h"

namespace workpool {
namespace {

Verdict Try(Admission& admission, Task& task) {
  return admission.Offer(task, WhenFull::kReject).verdict;
}
Verdict Wait(Admission& admission, Task& task) {
  return admission.Offer(task, WhenFull::kWait).verdict;
}
// Tells all acceptances and lists the tasks of all notices.
std::vector<Task*> TellAll(Admission& admission) {
  std::vector<Task*> told;
  while (admission.HasNotice()) {
    const Admission::Notice notice = admission.TakeNotice();
    told.push_back(notice.task);
    if (notice.accepted) admission.Told(notice.ticket);
  }
  return told;
}
// Runs to the end whatever starts, in order.
std::vector<Task*> RunAll(Admission& admission) {
  std::vector<Task*> ran;
  TellAll(admission);
  for (auto next = admission.TakeReady(); next.task != nullptr; next = admission.TakeReady()) {
    ran.push_back(next.task);
    admission.Finish(next.place);
    TellAll(admission);
  }
  return ran;
}

TEST(AdmissionTest, StartsWhileAPlaceIsFreeThenQueuesThenRefuses) {
  Admission admission({.workers = 2, .capacity = 1});
  IdleTask a, b, c, d;
  EXPECT_EQ(Try(admission, a), Verdict::kStarted);
  EXPECT_EQ(Try(admission, b), Verdict::kStarted);
  EXPECT_EQ(Try(admission, c), Verdict::kQueued);
  const OfferResult refused = admission.Offer(d, WhenFull::kReject);
  EXPECT_EQ(refused.verdict, Verdict::kRefused);
  EXPECT_EQ(refused.refusal, Refusal::kQueueFull);
  const PoolStats stats = admission.Read();
  EXPECT_EQ(stats.active, 2u);
  EXPECT_EQ(stats.queued, 1u);
  EXPECT_EQ(stats.accepted, 3u);
  EXPECT_EQ(stats.refused[static_cast<std::size_t>(Refusal::kQueueFull)], 1u);
  EXPECT_EQ(stats.Posted(), 4u);
}

TEST(AdmissionTest, CapacityZeroAcceptsExactlyWhatCanStartNow) {
  Admission admission({.workers = 1, .capacity = 0});
  IdleTask a, b;
  EXPECT_EQ(Try(admission, a), Verdict::kStarted);
  EXPECT_EQ(Try(admission, b), Verdict::kRefused);
  admission.Finish(admission.TakeReady().place);
  EXPECT_EQ(Try(admission, b), Verdict::kStarted);
  EXPECT_EQ(admission.Read().queued_peak, 0u);
}

TEST(AdmissionTest, APausedPoolAcceptsItsCapacityAndStartsNothing) {
  Admission admission({.workers = 2, .capacity = 2});
  admission.Pause();
  IdleTask a, b, c;
  EXPECT_EQ(Try(admission, a), Verdict::kQueued);
  EXPECT_EQ(Try(admission, b), Verdict::kQueued);
  EXPECT_EQ(Try(admission, c), Verdict::kRefused);
  EXPECT_FALSE(admission.HasReady());
  admission.Resume();
  EXPECT_EQ(RunAll(admission), (std::vector<Task*>{&a, &b}));
}

TEST(AdmissionTest, AHigherPriorityGoesFirstAndEqualsInTheOrderOfAcceptance) {
  Admission admission({.workers = 1, .capacity = 10});
  admission.Pause();
  IdleTask low(0), mid1(5), mid2(5), high1(9), high2(9);
  for (IdleTask* task : {&low, &mid1, &high1, &mid2, &high2}) Try(admission, *task);
  admission.Resume();
  EXPECT_EQ(RunAll(admission), (std::vector<Task*>{&high1, &high2, &mid1, &mid2, &low}));
}

TEST(AdmissionTest, TheQueueIsBoundedInBytes) {
  Admission admission({.workers = 1, .capacity = 10, .capacity_bytes = 10});
  IdleTask active(5, 10), a(5, 6), b(5, 5), c(5, 4);
  EXPECT_EQ(Try(admission, active), Verdict::kStarted);  // counts nothing while it runs
  EXPECT_EQ(Try(admission, a), Verdict::kQueued);
  EXPECT_EQ(Try(admission, b), Verdict::kRefused);
  EXPECT_EQ(Try(admission, c), Verdict::kQueued);
  EXPECT_EQ(admission.Read().queued_bytes, 10u);
}

TEST(AdmissionTest, ATaskThatAloneExceedsTheBytesIsTooLargeEvenForAFreePlace) {
  Admission admission({.workers = 1, .capacity = 10, .capacity_bytes = 10});
  IdleTask task(5, 11);
  const OfferResult result = admission.Offer(task, WhenFull::kWait);
  EXPECT_EQ(result.verdict, Verdict::kRefused);
  EXPECT_EQ(result.refusal, Refusal::kTooLarge);
}

TEST(AdmissionTest, AWaitingPostBlocksItsPriorityAndBelowNotAbove) {
  Admission admission({.workers = 1, .capacity = 2, .capacity_bytes = 10});
  IdleTask active, queued(5, 6), heavy(5, 8), equal(5, 1), lower(4, 1), higher(6, 1);
  Try(admission, active);
  Try(admission, queued);
  EXPECT_EQ(Wait(admission, heavy), Verdict::kWaiting);
  EXPECT_EQ(Try(admission, equal), Verdict::kRefused);
  EXPECT_EQ(Try(admission, lower), Verdict::kRefused);
  EXPECT_EQ(Try(admission, higher), Verdict::kQueued);
}

TEST(AdmissionTest, AFreePlaceGoesToTheMostUrgentOfQueuedAndWaiting) {
  Admission admission({.workers = 1, .capacity = 1});
  IdleTask active, queued(5), waiting_equal(5), waiting_high(9);
  Try(admission, active);
  Try(admission, queued);
  Wait(admission, waiting_equal);
  Wait(admission, waiting_high);
  EXPECT_EQ(RunAll(admission),
            (std::vector<Task*>{&active, &waiting_high, &queued, &waiting_equal}));
}

TEST(AdmissionTest, WaitingPostsAreServedByPriorityThenArrival) {
  Admission admission({.workers = 1, .capacity = 0});
  IdleTask active, low(1), first(5), second(5), high(9);
  Try(admission, active);
  for (IdleTask* task : {&low, &first, &second, &high}) Wait(admission, *task);
  EXPECT_EQ(RunAll(admission), (std::vector<Task*>{&active, &high, &first, &second, &low}));
  EXPECT_EQ(admission.Read().waiting, 0u);
}

TEST(AdmissionTest, AHeavyWaitingPostIsNotOvertakenByALighterOneOfItsPriority) {
  Admission admission({.workers = 1, .capacity = 3, .capacity_bytes = 10});
  admission.Pause();
  IdleTask big(5, 6), small(5, 4), heavy(5, 7), light(5, 1);
  Try(admission, big);
  Try(admission, small);
  Wait(admission, heavy);
  Wait(admission, light);
  admission.Withdraw(small);  // room for the light one, not for the heavy one
  EXPECT_TRUE(TellAll(admission).empty());
  admission.Withdraw(big);
  EXPECT_EQ(TellAll(admission), (std::vector<Task*>{&heavy, &light}));
}

TEST(AdmissionTest, WaitingPostsAreBoundedInNumberAndBytes) {
  Admission admission({.workers = 1, .capacity = 0, .capacity_bytes = 10, .max_waiting = 2});
  IdleTask active, a(5, 6), b(5, 5), c(5, 4), d;
  Try(admission, active);
  EXPECT_EQ(Wait(admission, a), Verdict::kWaiting);
  EXPECT_EQ(admission.Offer(b, WhenFull::kWait).refusal, Refusal::kQueueFull);
  EXPECT_EQ(Wait(admission, c), Verdict::kWaiting);
  EXPECT_EQ(admission.Offer(d, WhenFull::kWait).refusal, Refusal::kQueueFull);
  EXPECT_EQ(admission.Read().waiting, 2u);
  EXPECT_EQ(admission.Read().waiting_bytes, 10u);
}

TEST(AdmissionTest, AGivenUpWaitIsForgottenAndLetsThoseBehindItPass) {
  Admission admission({.workers = 1, .capacity = 2, .capacity_bytes = 10});
  IdleTask active, queued(5, 6), heavy(5, 8), light(5, 1);
  Try(admission, active);
  Try(admission, queued);
  Wait(admission, heavy);
  Wait(admission, light);
  EXPECT_TRUE(admission.GiveUp(heavy, Refusal::kWaitTimeout));
  EXPECT_EQ(TellAll(admission), (std::vector<Task*>{&light}));
  EXPECT_FALSE(admission.GiveUp(light, Refusal::kWaitTimeout));  // accepted
  EXPECT_EQ(admission.Read().refused[static_cast<std::size_t>(Refusal::kWaitTimeout)], 1u);
}

TEST(AdmissionTest, APostThatWaitedIsReadyOnlyWhenItsOwnerHasBeenTold) {
  Admission admission({.workers = 1, .capacity = 0});
  IdleTask active, waiting;
  Try(admission, active);
  Wait(admission, waiting);
  admission.Finish(admission.TakeReady().place);
  EXPECT_EQ(admission.Read().active, 1u);  // it holds its place already
  EXPECT_FALSE(admission.HasReady());
  const Admission::Notice notice = admission.TakeNotice();
  EXPECT_EQ(notice.task, &waiting);
  EXPECT_TRUE(notice.accepted);
  EXPECT_FALSE(admission.Withdraw(waiting));  // its owner is just being told
  admission.Told(notice.ticket);
  EXPECT_EQ(admission.TakeReady().task, &waiting);
}

TEST(AdmissionTest, WithdrawingBeforeTheNoticeIsTakenCountsAsRefused) {
  Admission admission({.workers = 1, .capacity = 0});
  IdleTask active, waiting;
  Try(admission, active);
  Wait(admission, waiting);
  admission.Finish(admission.TakeReady().place);
  EXPECT_FALSE(admission.GiveUp(waiting, Refusal::kWaitTimeout));
  EXPECT_TRUE(admission.Withdraw(waiting, Refusal::kCancelled));
  EXPECT_FALSE(admission.HasNotice());
  const PoolStats stats = admission.Read();
  EXPECT_EQ(stats.active, 0u);
  EXPECT_EQ(stats.accepted, 1u);
  EXPECT_EQ(stats.refused[static_cast<std::size_t>(Refusal::kCancelled)], 1u);
}

TEST(AdmissionTest, AnUnpublishedTaskHoldsItsPlaceAndDoesNotRun) {
  Admission admission({.workers = 1, .capacity = 1});
  IdleTask a, b, c;
  EXPECT_EQ(admission.Offer(a, WhenFull::kReject, false).verdict, Verdict::kStarted);
  EXPECT_EQ(admission.Offer(b, WhenFull::kReject, false).verdict, Verdict::kQueued);
  EXPECT_EQ(Try(admission, c), Verdict::kRefused);
  EXPECT_FALSE(admission.HasReady());
  admission.Publish(a);
  admission.Finish(admission.TakeReady().place);
  EXPECT_EQ(admission.Read().active, 1u);  // b got the place, unpublished as it is
  EXPECT_FALSE(admission.HasReady());
  admission.Publish(b);
  EXPECT_EQ(admission.TakeReady().task, &b);
}

TEST(AdmissionTest, ARevokedAcceptanceCountsAsRefusedAndFreesItsPlace) {
  Admission admission({.workers = 1, .capacity = 1});
  IdleTask a, b, c;
  admission.Offer(a, WhenFull::kReject, false);
  admission.Offer(b, WhenFull::kReject, false);
  Wait(admission, c);
  EXPECT_TRUE(admission.Revoke(a, Refusal::kStore));
  EXPECT_TRUE(admission.Revoke(b, Refusal::kStore));
  admission.Publish(b);  // too late: nothing happens
  EXPECT_EQ(RunAll(admission), (std::vector<Task*>{&c}));
  const PoolStats stats = admission.Read();
  EXPECT_EQ(stats.accepted, 1u);
  EXPECT_EQ(stats.refused[static_cast<std::size_t>(Refusal::kStore)], 2u);
}

TEST(AdmissionTest, RevokingWhileTheOwnerIsBeingToldIsAllowed) {
  Admission admission({.workers = 1, .capacity = 0});
  IdleTask active, waiting;
  Try(admission, active);
  admission.Offer(waiting, WhenFull::kWait, false);
  admission.Finish(admission.TakeReady().place);
  const Admission::Notice notice = admission.TakeNotice();
  EXPECT_TRUE(admission.Revoke(waiting, Refusal::kStore));
  admission.Told(notice.ticket);  // must not touch the task
  EXPECT_TRUE(admission.Idle());
  EXPECT_EQ(admission.Read().accepted, 1u);
}

TEST(AdmissionTest, WithdrawTakesOutQueuedAndReadyTasksNotRunningOnes) {
  Admission admission({.workers = 2, .capacity = 1});
  IdleTask running, ready, queued;
  Try(admission, running);
  EXPECT_EQ(admission.TakeReady().task, &running);
  Try(admission, ready);
  Try(admission, queued);
  EXPECT_FALSE(admission.Withdraw(running));
  EXPECT_TRUE(admission.Withdraw(queued));
  EXPECT_FALSE(admission.Withdraw(queued));
  EXPECT_TRUE(admission.Withdraw(ready));
  const PoolStats stats = admission.Read();
  EXPECT_EQ(stats.active, 1u);
  EXPECT_EQ(stats.queued, 0u);
  EXPECT_EQ(stats.withdrawn, 2u);
  EXPECT_EQ(stats.accepted, 3u);
}

TEST(AdmissionTest, ASmallerPoolDropsNothingAndShrinksAsTasksFinish) {
  Admission admission({.workers = 3, .capacity = 3});
  std::vector<IdleTask> tasks(6);
  for (IdleTask& task : tasks) Try(admission, task);
  std::vector<Admission::Started> running;
  for (int i = 0; i < 3; ++i) running.push_back(admission.TakeReady());
  admission.Resize({.workers = 1, .capacity = 1});
  EXPECT_EQ(admission.Read().active, 3u);
  EXPECT_EQ(admission.Read().queued, 3u);
  IdleTask more;
  EXPECT_EQ(Try(admission, more), Verdict::kRefused);
  admission.Finish(running[0].place);
  admission.Finish(running[1].place);
  EXPECT_FALSE(admission.HasReady());
  admission.Finish(running[2].place);
  const Admission::Started next = admission.TakeReady();
  EXPECT_EQ(next.task, &tasks[3]);
  EXPECT_EQ(next.place.worker, 0u);
  EXPECT_EQ(admission.Read().active, 1u);
}

TEST(AdmissionTest, ALargerPoolServesQueuedAndWaitingAtOnce) {
  Admission admission({.workers = 1, .capacity = 0});
  IdleTask active, a, b, c;
  Try(admission, active);
  for (IdleTask* task : {&a, &b, &c}) Wait(admission, *task);
  admission.Resize({.workers = 2, .capacity = 1});
  EXPECT_EQ(TellAll(admission), (std::vector<Task*>{&a, &b}));
  const PoolStats stats = admission.Read();
  EXPECT_EQ(stats.active, 2u);
  EXPECT_EQ(stats.queued, 1u);
  EXPECT_EQ(stats.waiting, 1u);
}

TEST(AdmissionTest, AWaitThatLowerBytesHaveMadeVainEndsTooLarge) {
  Admission admission({.workers = 1, .capacity = 0, .capacity_bytes = 10});
  IdleTask active, heavy(5, 8), light(5, 2);
  Try(admission, active);
  Wait(admission, heavy);
  Wait(admission, light);
  admission.Resize({.workers = 1, .capacity = 1, .capacity_bytes = 5});
  const Admission::Notice first = admission.TakeNotice();
  EXPECT_EQ(first.task, &heavy);
  EXPECT_FALSE(first.accepted);
  EXPECT_EQ(first.refusal, Refusal::kTooLarge);
  EXPECT_EQ(admission.TakeNotice().task, &light);
}

TEST(AdmissionTest, DrainRefusesPostsEndsWaitsLiftsAPauseAndRunsTheRest) {
  Admission admission({.workers = 1, .capacity = 1});
  admission.Pause();
  IdleTask queued, waiting, late;
  Try(admission, queued);
  Wait(admission, waiting);
  admission.Drain();
  const Admission::Notice notice = admission.TakeNotice();
  EXPECT_EQ(notice.task, &waiting);
  EXPECT_EQ(notice.refusal, Refusal::kDraining);
  EXPECT_EQ(admission.Offer(late, WhenFull::kWait).refusal, Refusal::kDraining);
  EXPECT_FALSE(admission.Idle());
  EXPECT_EQ(RunAll(admission), (std::vector<Task*>{&queued}));
  EXPECT_TRUE(admission.Idle());
  admission.Resume();
  EXPECT_EQ(Try(admission, late), Verdict::kStarted);
}

TEST(AdmissionTest, CloseIsForGood) {
  Admission admission({.workers = 1, .capacity = 1});
  admission.Close(true);
  admission.Resume();
  admission.Pause();
  IdleTask task;
  EXPECT_EQ(admission.Offer(task, WhenFull::kReject).refusal, Refusal::kDraining);
  EXPECT_FALSE(admission.Read().paused);
  EXPECT_TRUE(admission.Read().closed);
}

TEST(AdmissionTest, ClosedWithoutRunningLeavesTheQueueToItsOwner) {
  Admission admission({.workers = 1, .capacity = 3});
  IdleTask active, low(1), high(9);
  Try(admission, active);
  Try(admission, low);
  Try(admission, high);
  admission.Close(false);
  admission.Close(true);  // does not undo it
  admission.Finish(admission.TakeReady().place);
  EXPECT_FALSE(admission.HasReady());
  EXPECT_TRUE(admission.Idle());
  EXPECT_EQ(admission.TakeQueued(), (std::vector<Task*>{&high, &low}));
  EXPECT_EQ(admission.Read().withdrawn, 2u);
}

TEST(AdmissionTest, TakingTheQueueGivesItsRoomToWaitingPosts) {
  Admission admission({.workers = 1, .capacity = 1});
  IdleTask active, queued, waiting;
  Try(admission, active);
  Try(admission, queued);
  Wait(admission, waiting);
  EXPECT_EQ(admission.TakeQueued(), (std::vector<Task*>{&queued}));
  EXPECT_EQ(TellAll(admission), (std::vector<Task*>{&waiting}));
  EXPECT_EQ(admission.Read().queued, 1u);
}

TEST(AdmissionTest, TakingTheQueueLeavesOutWhatIsStillBeingCommitted) {
  Admission admission({.workers = 1, .capacity = 2});
  IdleTask active, reserved, queued;
  Try(admission, active);
  admission.Offer(reserved, WhenFull::kReject, false);
  Try(admission, queued);
  EXPECT_EQ(admission.TakeQueued(), (std::vector<Task*>{&queued}));
  EXPECT_EQ(admission.Read().queued, 1u);
}

TEST(AdmissionTest, PeaksAreExactAndWindowsBeginAtThePresent) {
  Admission admission({.workers = 2, .capacity = 5});
  std::vector<IdleTask> tasks(4);
  PeakWindow window;
  admission.AddWindow(window);
  for (IdleTask& task : tasks) Try(admission, task);
  EXPECT_EQ(window.active_peak, 2u);
  EXPECT_EQ(window.queued_peak, 2u);
  admission.Finish(admission.TakeReady().place);
  admission.ResetWindow(window);
  EXPECT_EQ(window.active_peak, 2u);
  EXPECT_EQ(window.queued_peak, 1u);
  RunAll(admission);
  EXPECT_EQ(window.queued_peak, 1u);
  EXPECT_EQ(admission.Read().queued_peak, 2u);
  admission.RemoveWindow(window);
  IdleTask more;
  window = {};
  Try(admission, more);
  EXPECT_EQ(window.active_peak, 0u);
}

TEST(AdmissionTest, AFinishedTaskMayBeOfferedAgain) {
  Admission admission({.workers = 1, .capacity = 0});
  IdleTask task;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Try(admission, task), Verdict::kStarted);
    admission.Finish(admission.TakeReady().place);
  }
  EXPECT_EQ(admission.Read().finished, 3u);
}

TEST(AdmissionDeathTest, WhatOnlyABugCanDoAborts) {
  EXPECT_DEATH(Admission({.workers = 0}), "impossible");
  Admission admission({.workers = 1, .capacity = 1});
  IdleTask urgent(kPriorities);
  EXPECT_DEATH(admission.Offer(urgent, WhenFull::kReject), "impossible");
  IdleTask twice;
  Try(admission, twice);
  EXPECT_DEATH(admission.Offer(twice, WhenFull::kReject), "impossible");
  EXPECT_DEATH(Admission({.workers = 1}).Finish({0}), "impossible");
}

}  // namespace
}  // namespace workpool
