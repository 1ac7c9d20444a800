// Timeouts, kill graces and callers' deadlines.
#include <gtest/gtest.h>

#include <stop_token>

#include "unit/jobs/dispatcher_run_fixture.h"

namespace workpool {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

class DispatcherTimeoutTest : public DispatcherRunFixture {};

TEST_F(DispatcherTimeoutTest, ATimeoutStopsTheHandlerAndKeepsItsWorker) {
  const JobId id = StartHeld(seconds(60));
  EXPECT_EQ(held_->Front()->deadline(), rig_.clock.Now() + seconds(60));
  rig_.Advance(seconds(59));
  EXPECT_FALSE(held_->Front()->stop_token().stop_requested());
  rig_.Advance(seconds(1));
  EXPECT_TRUE(held_->Front()->stop_token().stop_requested());
  EXPECT_EQ(rig_.State(id), JobState::kActive);
  EXPECT_TRUE(rig_.dispatcher->Get(id)->stopping);
  EXPECT_EQ(rig_.Pool().stats.active, 1u);
  held_->Take()->Finish(Outcome::Failure("stopped half way"));
  const JobView view = *rig_.dispatcher->Get(id);
  EXPECT_EQ(view.state, JobState::kDead);
  EXPECT_EQ(view.failure->code, "TIMEOUT");
  EXPECT_EQ(view.failure->message, "stopped after its timeout of 1m: stopped half way");
  EXPECT_EQ(rig_.observer.ended(AttemptOutcome::kTimeout), 1u);
}

TEST_F(DispatcherTimeoutTest, AResultAfterTheTimeoutCounts) {
  const JobId id = StartHeld(seconds(1));
  rig_.Advance(seconds(2));
  held_->Take()->Finish(Outcome::Success("made it"));
  EXPECT_EQ(rig_.State(id), JobState::kSucceeded);
}

TEST_F(DispatcherTimeoutTest, StepsOfTheWallClockDoNotMatter) {  // case 40
  const JobId id = StartHeld(seconds(60));
  rig_.clock.StepWall(hours(1));
  rig_.Advance(seconds(30));
  rig_.clock.StepWall(-hours(2));
  rig_.Advance(seconds(29));
  EXPECT_FALSE(held_->Front()->stop_token().stop_requested());
  rig_.Advance(seconds(1));
  EXPECT_TRUE(held_->Front()->stop_token().stop_requested());
  held_->Take()->Finish(Outcome::Success());
  EXPECT_EQ(rig_.dispatcher->Get(id)->run_time, seconds(60));
}

TEST_F(DispatcherTimeoutTest, AWorkerIsStuckWhenItsHandlerOutlivesTheKillGrace) {
  StartHeld(seconds(1));
  rig_.Advance(seconds(1));
  rig_.Advance(milliseconds(4999));
  EXPECT_EQ(rig_.Pool().workers_stuck, 0u);
  rig_.Advance(milliseconds(1));
  EXPECT_EQ(rig_.Pool().workers_stuck, 1u);
  held_->Take()->Finish(Outcome::Failure(""));
  EXPECT_EQ(rig_.Pool().workers_stuck, 0u);
}

TEST_F(DispatcherTimeoutTest, AStuckWorkerWhoseJobWasGivenUpIsFreeWhenItsHandlerEnds) {
  StartHeld();
  rig_.dispatcher->StopAccepting(false, [] {});
  rig_.dispatcher->StopHandlers(milliseconds(500));
  rig_.Advance(milliseconds(500));
  EXPECT_EQ(rig_.dispatcher->GiveUp(1).count, 1u);
  EXPECT_EQ(rig_.Pool().workers_stuck, 1u);
  held_->Take()->Finish(Outcome::Failure(""));
  EXPECT_EQ(rig_.Pool().workers_stuck, 0u);
}

TEST_F(DispatcherTimeoutTest, NobodyWatchesAHandlerThatEndsWhileItIsToldToStop) {
  const JobId id = StartHeld();
  const auto attempt = held_->Take();
  const std::stop_callback obey(attempt->stop_token(),
                                [&] { attempt->Finish(Outcome::Failure("")); });
  const SteadyTime told = rig_.clock.Now();
  EXPECT_EQ(CancelOne(id), 1u);
  EXPECT_EQ(rig_.State(id), JobState::kCancelled);
  rig_.alarm.Clear();
  rig_.Advance(milliseconds(4900));
  EXPECT_NE(rig_.alarm.next(), told + seconds(5));
}

TEST_F(DispatcherTimeoutTest, RunWorksDeadlineBoundsQueuedAndRunningJobs) {
  PostRequest running;
  running.work = MakeWork("held");
  running.run_deadline = rig_.clock.Now() + seconds(10);
  const WaitProbe running_end = DispatcherRig::NewProbe();
  running.finished = DispatcherRig::Into(running_end);
  rig_.Post(std::move(running));
  rig_.RunOne();
  ASSERT_TRUE(rig_.dispatcher->Pause("default"));
  PostRequest queued;
  queued.work = MakeWork("echo");
  queued.run_deadline = rig_.clock.Now() + seconds(10);
  const WaitProbe queued_end = DispatcherRig::NewProbe();
  queued.finished = DispatcherRig::Into(queued_end);
  rig_.Post(std::move(queued));

  rig_.Advance(milliseconds(9899));
  EXPECT_FALSE(held_->Front()->stop_token().stop_requested());
  rig_.Advance(milliseconds(1));
  EXPECT_TRUE(held_->Front()->stop_token().stop_requested());
  ASSERT_EQ(queued_end->size(), 1u);
  EXPECT_EQ(queued_end->front()->state, JobState::kDead);
  EXPECT_EQ(queued_end->front()->failure->code, "TIMEOUT");
  EXPECT_EQ(queued_end->front()->attempt, 0);
  held_->Take()->Finish(Outcome::Failure(""));
  EXPECT_EQ(running_end->front()->failure->code, "TIMEOUT");
  EXPECT_EQ(running_end->front()->failure->message, "stopped at its caller's deadline");
  EXPECT_EQ(rig_.Pool().stats.queued, 0u);
}

}  // namespace
}  // namespace workpool
