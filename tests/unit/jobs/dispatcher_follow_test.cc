// Following jobs: looking up, waiting, listing, and when they are forgotten.
#include <gtest/gtest.h>

#include <vector>

#include "unit/jobs/dispatcher_run_fixture.h"

namespace workpool {
namespace {

using std::chrono::seconds;

class DispatcherFollowTest : public DispatcherRunFixture {};

TEST_F(DispatcherFollowTest, UnknownAndForgottenIdsAreToldApart) {
  DispatcherConfig config;
  config.pools = {MakePoolConfig("default", 1, 5)};
  config.pools.front().keep.finished.jobs = 0;
  config.handlers = {EchoConfig()};
  DispatcherRig rig(config);
  PostRequest request;
  request.work = MakeWork("echo", "kept for its poster");
  const WaitProbe end = DispatcherRig::NewProbe();
  request.finished = DispatcherRig::Into(end);
  const JobId id = rig.Post(std::move(request)).id();
  rig.RunAll();
  ASSERT_EQ(end->size(), 1u);
  EXPECT_EQ(end->front()->result, "kept for its poster");
  EXPECT_EQ(end->front()->job->payload, "kept for its poster");
  EXPECT_EQ(rig.dispatcher->Get(id).error().code, ErrorCode::kJobForgotten);
  EXPECT_EQ(rig.dispatcher->Get(id + 1).error().code, ErrorCode::kUnknownJob);
  EXPECT_EQ(rig.dispatcher->Get(0).error().code, ErrorCode::kUnknownJob);
  EXPECT_EQ(rig.Wait(id)->front().error().code, ErrorCode::kJobForgotten);
}

TEST_F(DispatcherFollowTest, AWaitMayBeTakenBack) {
  const JobId id = StartHeld();
  const WaitProbe dropped = DispatcherRig::NewProbe();
  const Ticket ticket = rig_.dispatcher->Wait(id, DispatcherRig::Into(dropped));
  const WaitProbe kept = rig_.Wait(id);
  rig_.dispatcher->CancelWait(ticket);
  rig_.dispatcher->CancelWait(ticket);
  EXPECT_EQ(dropped.use_count(), 1);
  held_->Take()->Finish(Outcome::Success());
  EXPECT_TRUE(dropped->empty());
  EXPECT_EQ(kept->size(), 1u);
  EXPECT_EQ(rig_.Wait(id)->front()->state, JobState::kSucceeded);
}

TEST_F(DispatcherFollowTest, AllWhoWaitForAJobShareItsDescription) {
  const JobId id = StartHeld();
  const WaitProbe one = rig_.Wait(id);
  const WaitProbe other = rig_.Wait(id);
  held_->Take()->Finish(Outcome::Success());
  ASSERT_EQ(one->size(), 1u);
  ASSERT_EQ(other->size(), 1u);
  EXPECT_EQ(one->front()->job->id, id);
  EXPECT_EQ(one->front()->job, other->front()->job);
}

TEST_F(DispatcherFollowTest, APurgeEndsWaitsAtOnce) {  // case 59
  const JobId active = StartHeld();
  rig_.dispatcher->Pause("default");
  const JobId queued = rig_.Post(MakeWork("echo")).id();
  const WaitProbe wait = rig_.Wait(queued);
  EXPECT_EQ(*rig_.dispatcher->Purge("default"), 1u);
  ASSERT_EQ(wait->size(), 1u);
  EXPECT_EQ(wait->front().error().code, ErrorCode::kJobForgotten);
  EXPECT_EQ(rig_.dispatcher->Get(queued).error().code, ErrorCode::kJobForgotten);
  EXPECT_EQ(rig_.State(active), JobState::kActive);
  EXPECT_EQ(rig_.Pool().deleted, 1u);
  EXPECT_EQ(rig_.Pool().stats.queued, 0u);
}

TEST_F(DispatcherFollowTest, ListsNewestFirstInPages) {
  const JobId held = StartHeld();
  for (int i = 0; i < 5; ++i) rig_.Post(MakeWork("echo", "payload"));
  rig_.RunAll();
  rig_.dispatcher->Pause("default");
  for (int i = 0; i < 4; ++i) rig_.Post(MakeWork("echo"));
  std::vector<JobId> seen;
  JobId before = 0;
  int pages = 0;
  do {
    const JobPage page = rig_.dispatcher->List({}, before, 3);
    for (const JobView& view : page.jobs) {
      seen.push_back(view.job->id);
      EXPECT_TRUE(view.result.empty());
    }
    before = page.next_before;
    ++pages;
  } while (before != 0);
  EXPECT_EQ(seen, (std::vector<JobId>{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(pages, 4);
  JobFilter active;
  active.states = {JobState::kActive};
  const JobPage page = rig_.dispatcher->List(active, 0, 10);
  ASSERT_EQ(page.jobs.size(), 1u);
  EXPECT_EQ(page.jobs.front().job->id, held);
  EXPECT_EQ(page.next_before, 0u);
}

TEST_F(DispatcherFollowTest, FinishedJobsCountNowhereElse) {  // case 25
  for (int i = 0; i < 20'000; ++i) {
    rig_.Post(MakeWork("echo"));
    rig_.RunAll();
  }
  EXPECT_EQ(rig_.Pool().stats.queued, 0u);
  EXPECT_EQ(rig_.Pool().stats.active, 0u);
  EXPECT_EQ(rig_.Pool().finished, 20'000u);
  EXPECT_EQ(rig_.dispatcher->Get(1)->state, JobState::kSucceeded);
}

TEST_F(DispatcherFollowTest, OldRecordsGoWithTime) {
  const JobId id = rig_.Post(MakeWork("echo")).id();
  rig_.RunAll();
  rig_.Advance(std::chrono::minutes(14));
  EXPECT_TRUE(rig_.dispatcher->Get(id));
  for (int i = 0; i < 3; ++i) rig_.Advance(seconds(30));
  EXPECT_EQ(rig_.dispatcher->Get(id).error().code, ErrorCode::kJobForgotten);
}

}  // namespace
}  // namespace workpool
