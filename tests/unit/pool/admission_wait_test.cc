// Posts that wait for room in a pool that is full.
#include <gtest/gtest.h>

#include <vector>

#include "fakes/idle_task.h"
#include "unit/pool/admission_steps.h"

namespace workpool {
namespace {

TEST(AdmissionWaitTest, AWaitingPostBlocksItsPriorityAndBelowNotAbove) {
  Admission admission({.workers = 1, .capacity = 2, .capacity_bytes = 10});
  IdleTask active, queued(5, 6), heavy(5, 8), equal(5, 1), lower(4, 1), higher(6, 1);
  Try(admission, active);
  Try(admission, queued);
  EXPECT_EQ(Wait(admission, heavy), Verdict::kWaiting);
  EXPECT_EQ(Try(admission, equal), Verdict::kRefused);
  EXPECT_EQ(Try(admission, lower), Verdict::kRefused);
  EXPECT_EQ(Try(admission, higher), Verdict::kQueued);
}

TEST(AdmissionWaitTest, AFreePlaceGoesToTheMostUrgentOfQueuedAndWaiting) {
  Admission admission({.workers = 1, .capacity = 1});
  IdleTask active, queued(5), waiting_equal(5), waiting_high(9);
  Try(admission, active);
  Try(admission, queued);
  Wait(admission, waiting_equal);
  Wait(admission, waiting_high);
  EXPECT_EQ(RunAll(admission),
            (std::vector<Task*>{&active, &waiting_high, &queued, &waiting_equal}));
}

TEST(AdmissionWaitTest, WaitingPostsAreServedByPriorityThenArrival) {
  Admission admission({.workers = 1, .capacity = 0});
  IdleTask active, low(1), first(5), second(5), high(9);
  Try(admission, active);
  for (IdleTask* task : {&low, &first, &second, &high}) Wait(admission, *task);
  EXPECT_EQ(RunAll(admission), (std::vector<Task*>{&active, &high, &first, &second, &low}));
  EXPECT_EQ(admission.Read().waiting, 0u);
}

TEST(AdmissionWaitTest, AHeavyWaitingPostIsNotOvertakenByALighterOneOfItsPriority) {
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

TEST(AdmissionWaitTest, WaitingPostsAreBoundedInNumberAndBytes) {
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

TEST(AdmissionWaitTest, AGivenUpWaitIsForgottenAndLetsThoseBehindItPass) {
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

TEST(AdmissionWaitTest, APostThatWaitedIsReadyOnlyWhenItsOwnerHasBeenTold) {
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

TEST(AdmissionWaitTest, AWaitThatLowerBytesHaveMadeVainEndsTooLarge) {
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

TEST(AdmissionWaitTest, TakingTheQueueGivesItsRoomToWaitingPosts) {
  Admission admission({.workers = 1, .capacity = 1});
  IdleTask active, queued, waiting;
  Try(admission, active);
  Try(admission, queued);
  Wait(admission, waiting);
  EXPECT_EQ(admission.TakeQueued(), (std::vector<Task*>{&queued}));
  EXPECT_EQ(TellAll(admission), (std::vector<Task*>{&waiting}));
  EXPECT_EQ(admission.Read().queued, 1u);
}

}  // namespace
}  // namespace workpool
