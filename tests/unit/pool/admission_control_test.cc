// What an operator does to a pool: pausing, resizing, draining, closing.
#include <gtest/gtest.h>

#include <vector>

#include "fakes/idle_task.h"
#include "unit/pool/admission_steps.h"

namespace workpool {
namespace {

TEST(AdmissionControlTest, APausedPoolAcceptsItsCapacityAndStartsNothing) {
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

TEST(AdmissionControlTest, ASmallerPoolDropsNothingAndShrinksAsTasksFinish) {
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

TEST(AdmissionControlTest, ALargerPoolServesQueuedAndWaitingAtOnce) {
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

TEST(AdmissionControlTest, DrainRefusesPostsEndsWaitsLiftsAPauseAndRunsTheRest) {
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

TEST(AdmissionControlTest, CloseIsForGood) {
  Admission admission({.workers = 1, .capacity = 1});
  admission.Close(true);
  admission.Resume();
  admission.Pause();
  IdleTask task;
  EXPECT_EQ(admission.Offer(task, WhenFull::kReject).refusal, Refusal::kDraining);
  EXPECT_FALSE(admission.Read().paused);
  EXPECT_TRUE(admission.Read().closed);
}

TEST(AdmissionControlTest, ClosedWithoutRunningLeavesTheQueueToItsOwner) {
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

}  // namespace
}  // namespace workpool
