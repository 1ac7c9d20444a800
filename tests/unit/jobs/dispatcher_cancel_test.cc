// Cancelling queued and running jobs, one by one and by filter.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "unit/jobs/dispatcher_run_fixture.h"

namespace workpool {
namespace {

using std::chrono::seconds;

class DispatcherCancelTest : public DispatcherRunFixture {};

TEST_F(DispatcherCancelTest, CancellingAQueuedJobFreesItsPlaceAtOnce) {
  rig_.dispatcher->Pause("default");
  const PostProbe post = rig_.Post(MakeWork("echo"));
  const WaitProbe wait = rig_.Wait(post.id());
  EXPECT_EQ(CancelOne(post.id()), 1u);
  EXPECT_EQ(rig_.Pool().stats.queued, 0u);
  ASSERT_EQ(wait->size(), 1u);
  EXPECT_EQ(wait->front()->state, JobState::kCancelled);
  EXPECT_EQ(wait->front()->attempt, 0);
  EXPECT_EQ(CancelOne(post.id()), 0u);
}

TEST_F(DispatcherCancelTest, CancellingARunningJobStopsItsHandler) {
  const JobId id = StartHeld();
  EXPECT_EQ(CancelOne(id), 1u);
  EXPECT_EQ(CancelOne(id), 0u);
  EXPECT_TRUE(held_->Front()->stop_token().stop_requested());
  EXPECT_EQ(rig_.State(id), JobState::kActive);
  held_->Take()->Finish(Outcome::Success().Stopped());
  EXPECT_EQ(rig_.State(id), JobState::kCancelled);
  EXPECT_EQ(rig_.observer.ended(AttemptOutcome::kCancelled), 1u);
}

TEST_F(DispatcherCancelTest, ACancelOutranksATimeout) {
  const JobId id = StartHeld(seconds(1));
  rig_.Advance(seconds(1));
  EXPECT_EQ(CancelOne(id), 1u);
  held_->Take()->Finish(Outcome::Failure(""));
  EXPECT_EQ(rig_.State(id), JobState::kCancelled);
}

TEST_F(DispatcherCancelTest, CancelNamesTheIdsThatItDoesNotKnow) {
  const JobId done = rig_.Post(MakeWork("echo")).id();
  rig_.RunAll();
  const auto report = rig_.dispatcher->Cancel(std::array<JobId, 3>{done, 77, 0});
  EXPECT_EQ(report.cancelled, 0u);
  EXPECT_EQ(report.not_found, (std::vector<JobId>{77, 0}));
}

TEST_F(DispatcherCancelTest, CancelsAllThatMatchesAndCountsThem) {  // case 31
  StartHeld();
  rig_.dispatcher->Pause("default");
  for (int i = 0; i < 1000; ++i) rig_.Post(MakeWork(i % 2 == 0 ? "echo" : "held"));
  JobFilter filter;
  filter.handler = "held";
  filter.states = {JobState::kQueued};
  EXPECT_EQ(rig_.dispatcher->CancelMatching(filter).cancelled, 500u);
  EXPECT_FALSE(held_->Front()->stop_token().stop_requested());
  EXPECT_EQ(rig_.dispatcher->CancelMatching({}).cancelled, 501u);
  EXPECT_TRUE(held_->Front()->stop_token().stop_requested());
  EXPECT_EQ(rig_.Pool().stats.queued, 0u);
  EXPECT_EQ(rig_.observer.in_state(JobState::kCancelled), 1000u);
}

}  // namespace
}  // namespace workpool
