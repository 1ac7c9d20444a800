// What holds a place but does not run: reserved, revoked, withdrawn.
#include <gtest/gtest.h>

#include <vector>

#include "fakes/idle_task.h"
#include "unit/pool/admission_steps.h"

namespace workpool {
namespace {

TEST(AdmissionWithdrawalTest, AnUnpublishedTaskHoldsItsPlaceAndDoesNotRun) {
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

TEST(AdmissionWithdrawalTest, ARevokedAcceptanceCountsAsRefusedAndFreesItsPlace) {
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

TEST(AdmissionWithdrawalTest, RevokingWhileTheOwnerIsBeingToldIsAllowed) {
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

TEST(AdmissionWithdrawalTest, WithdrawTakesOutQueuedAndReadyTasksNotRunningOnes) {
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

TEST(AdmissionWithdrawalTest, WithdrawingBeforeTheNoticeIsTakenCountsAsRefused) {
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

TEST(AdmissionWithdrawalTest, TakingTheQueueLeavesOutWhatIsStillBeingCommitted) {
  Admission admission({.workers = 1, .capacity = 2});
  IdleTask active, reserved, queued;
  Try(admission, active);
  admission.Offer(reserved, WhenFull::kReject, false);
  Try(admission, queued);
  EXPECT_EQ(admission.TakeQueued(), (std::vector<Task*>{&queued}));
  EXPECT_EQ(admission.Read().queued, 1u);
}

}  // namespace
}  // namespace workpool
