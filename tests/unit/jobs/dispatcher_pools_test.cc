// Pools: sizes, pause, drain, watching, reload, and the steps of a shutdown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/dispatcher_rig.h"

namespace workpool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class DispatcherPoolsTest : public ::testing::Test {
 protected:
  DispatcherPoolsTest() {
    config_.pools = {MakePoolConfig("a", 2, 5), MakePoolConfig("b", 1, 5)};
    config_.handlers = {EchoConfig("a"), MakeHandlerConfig("held", "a", held_),
                        MakeHandlerConfig("held_b", "b", held_)};
    rig_.Start(config_);
  }
  JobId StartHeld(const std::string& handler = "held") {
    const JobId id = rig_.Post(MakeWork(handler)).id();
    rig_.RunOne(handler == "held" ? "a" : "b");
    return id;
  }
  std::vector<PoolConfig>& pools() { return config_.pools; }

  std::shared_ptr<HeldHandler> held_ = std::make_shared<HeldHandler>();
  DispatcherConfig config_;
  DispatcherRig rig_;
};

TEST_F(DispatcherPoolsTest, CountsByPool) {  // case 27
  ASSERT_TRUE(rig_.dispatcher->Resize("a", {.workers = 3, .capacity = {}, .hold_for = {}}));
  ASSERT_TRUE(rig_.dispatcher->Resize("b", {.workers = 5, .capacity = {}, .hold_for = {}}));
  for (int i = 0; i < 3; ++i) StartHeld("held");
  for (int i = 0; i < 5; ++i) StartHeld("held_b");
  EXPECT_EQ(rig_.Pool("a").stats.active, 3u);
  EXPECT_EQ(rig_.Pool("b").stats.active, 5u);
  EXPECT_EQ(rig_.observer.started().at("a/held"), 3u);
  while (const auto attempt = held_->Take()) attempt->Finish(Outcome::Success());
  EXPECT_EQ(rig_.Pool("a").stats.active, 0u);
  EXPECT_EQ(rig_.observer.finished().at("b/held_b"), 5u);
}

TEST_F(DispatcherPoolsTest, AResizeHoldsForItsTimeAndShowsBothSizes) {
  const auto view =
      rig_.dispatcher->Resize("a", {.workers = 7, .capacity = 1, .hold_for = seconds(60)});
  ASSERT_TRUE(view);
  EXPECT_EQ(view->stats.limits.workers, 7u);
  EXPECT_EQ(view->configured.limits.workers, 2u);
  EXPECT_EQ(view->resized_until, rig_.clock.WallNow() + seconds(60));
  rig_.Advance(seconds(59));
  EXPECT_EQ(rig_.Pool("a").stats.limits.workers, 7u);
  rig_.Advance(seconds(1));
  EXPECT_EQ(rig_.Pool("a").stats.limits.workers, 2u);
  EXPECT_EQ(rig_.Pool("a").stats.limits.capacity, 5u);
  EXPECT_FALSE(rig_.Pool("a").resized_until);
  EXPECT_EQ(rig_.dispatcher->Resize("a", {}).error().code, ErrorCode::kBadField);
  EXPECT_EQ(
      rig_.dispatcher->Resize("x", {.workers = 1, .capacity = {}, .hold_for = {}}).error().code,
      ErrorCode::kUnknownPool);
}

TEST_F(DispatcherPoolsTest, APausedPoolAcceptsItsCapacityAndStartsNothing) {  // case 33
  ASSERT_TRUE(rig_.dispatcher->Pause("a"));
  int accepted = 0;
  for (int i = 0; i < 20; ++i) accepted += rig_.Post(MakeWork("echo")).accepted() ? 1 : 0;
  EXPECT_EQ(accepted, 5);
  EXPECT_EQ(rig_.RunAll("a"), 0);
  ASSERT_TRUE(rig_.dispatcher->Resume("a"));
  EXPECT_EQ(rig_.RunAll("a"), 5);
}

TEST_F(DispatcherPoolsTest, ADrainAnswersWhenNothingIsLeft) {
  StartHeld();
  std::vector<Result<void>> drained;
  const auto into = [&](Result<void> r) { drained.push_back(std::move(r)); };
  ASSERT_TRUE(rig_.dispatcher->Drain("a", into));
  EXPECT_THAT(drained, IsEmpty());
  EXPECT_EQ(rig_.Post(MakeWork("echo")).error().code, ErrorCode::kDraining);
  EXPECT_EQ(rig_.dispatcher->Pause("a").error().code, ErrorCode::kWrongState);
  held_->Take()->Finish(Outcome::Success());
  ASSERT_EQ(drained.size(), 1u);
  EXPECT_TRUE(drained.front());
  ASSERT_TRUE(rig_.dispatcher->Resume("a"));
  EXPECT_TRUE(rig_.Post(MakeWork("echo")).accepted());
  EXPECT_FALSE(rig_.dispatcher->Drain("nowhere", into));
}

TEST_F(DispatcherPoolsTest, AResumeEndsADrain) {
  StartHeld();
  std::vector<Result<void>> drained;
  ASSERT_TRUE(
      rig_.dispatcher->Drain("a", [&](Result<void> r) { drained.push_back(std::move(r)); }));
  ASSERT_TRUE(rig_.dispatcher->Resume("a"));
  ASSERT_EQ(drained.size(), 1u);
  EXPECT_EQ(drained.front().error().code, ErrorCode::kWrongState);
  held_->Take()->Finish(Outcome::Success());
  EXPECT_EQ(drained.size(), 1u);
}

TEST_F(DispatcherPoolsTest, AWatchShowsThePeaksOfEachInterval) {
  const std::unique_ptr<PoolWatch> watch = rig_.dispatcher->Watch();
  rig_.dispatcher->Pause("a");
  for (int i = 0; i < 3; ++i) rig_.Post(MakeWork("echo"));
  rig_.dispatcher->Resume("a");
  rig_.RunAll("a");
  EXPECT_EQ(watch->Read().front().interval.queued_peak, 3u);
  EXPECT_EQ(watch->Read().front().interval.queued_peak, 0u);
  EXPECT_EQ(rig_.Pool("a").stats.queued_peak, 3u);
}

// --- reload --------------------------------------------------------------------------------------

TEST_F(DispatcherPoolsTest, AReloadOfTheSameConfigChangesNothing) {
  EXPECT_THAT(rig_.dispatcher->Reconfigure(config_), IsEmpty());
}

TEST_F(DispatcherPoolsTest, AReloadResizesLiveAndEndsAHold) {
  rig_.dispatcher->Resize("a", {.workers = 9, .capacity = 9, .hold_for = {}});
  pools()[0].limits.workers = 4;
  EXPECT_THAT(rig_.dispatcher->Reconfigure(config_), ElementsAre("pool a: workers 2 -> 4"));
  EXPECT_EQ(rig_.Pool("a").stats.limits.workers, 4u);
  EXPECT_EQ(rig_.Pool("a").stats.limits.capacity, 9u);
}

TEST_F(DispatcherPoolsTest, ARemovedPoolGoesWhenItsJobsHave) {
  const JobId id = StartHeld();
  config_.pools.erase(config_.pools.begin());
  config_.handlers.erase(config_.handlers.begin(), config_.handlers.begin() + 2);
  config_.handlers.push_back(EchoConfig());
  EXPECT_THAT(rig_.dispatcher->Reconfigure(config_),
              ElementsAre("pool a: removed", "handler echo: changed", "handler held: removed"));
  EXPECT_TRUE(rig_.Pool("a").removed);
  EXPECT_EQ(rig_.Post(MakeWork("echo", "", "a")).error().code, ErrorCode::kDraining);
  EXPECT_EQ(rig_.Post(MakeWork("held")).error().code, ErrorCode::kUnknownHandler);
  EXPECT_EQ(rig_.dispatcher->Resume("a").error().code, ErrorCode::kWrongState);
  const auto watch = rig_.dispatcher->Watch();
  held_->Take()->Finish(Outcome::Success("old definition"));
  EXPECT_EQ(rig_.dispatcher->Get(id)->result, "old definition");
  rig_.Advance(milliseconds(1));
  EXPECT_EQ(rig_.Post(MakeWork("echo", "", "a")).error().code, ErrorCode::kUnknownPool);
  EXPECT_EQ(rig_.dispatcher->Pool("a").error().code, ErrorCode::kUnknownPool);
  EXPECT_EQ(watch->Read().size(), 1u);
  rig_.Advance(seconds(1));
  EXPECT_EQ(rig_.dispatcher->Get(id)->result, "old definition");
}

TEST_F(DispatcherPoolsTest, ARemovedPoolMayComeBack) {
  StartHeld();
  DispatcherConfig without = config_;
  without.pools.erase(without.pools.begin());
  rig_.dispatcher->Reconfigure(without);
  EXPECT_THAT(rig_.dispatcher->Reconfigure(config_), Contains("pool a: added again"));
  EXPECT_TRUE(rig_.Post(MakeWork("echo")).accepted());
  held_->Take()->Finish(Outcome::Success());
  rig_.Advance(seconds(1));
  EXPECT_FALSE(rig_.Pool("a").removed);
}

TEST_F(DispatcherPoolsTest, APoolThatComesBackLaterGoesOnCounting) {
  EXPECT_TRUE(rig_.Post(MakeWork("echo")).accepted());
  EXPECT_FALSE(rig_.Post(MakeWork("echo", std::string(100 << 20, 'x'))).accepted());
  rig_.RunAll("a");
  DispatcherConfig without = config_;
  without.pools.erase(without.pools.begin());
  rig_.dispatcher->Reconfigure(without);
  rig_.Advance(milliseconds(1));
  EXPECT_EQ(rig_.dispatcher->Pool("a").error().code, ErrorCode::kUnknownPool);
  EXPECT_THAT(rig_.dispatcher->Reconfigure(config_), Contains("pool a: added"));
  EXPECT_TRUE(rig_.Post(MakeWork("echo")).accepted());
  rig_.RunAll("a");
  EXPECT_EQ(rig_.Pool("a").stats.accepted, 2u);
  EXPECT_EQ(rig_.Pool("a").finished, 2u);
  EXPECT_EQ(rig_.Pool("a").invalid_posts, 1u);
}

TEST_F(DispatcherPoolsTest, AcceptedJobsKeepTheDefinitionOfTheirHandler) {
  rig_.dispatcher->Pause("a");
  const JobId old_job = rig_.Post(MakeWork("echo", "x")).id();
  config_.handlers[0] = MakeHandlerConfig(
      "echo", "a",
      MakeFunctionHandler([](const Job&, JobContext&) -> Outcome { return "new definition"; }));
  config_.handlers[0].definition = "2";
  EXPECT_THAT(rig_.dispatcher->Reconfigure(config_), ElementsAre("handler echo: changed"));
  const JobId new_job = rig_.Post(MakeWork("echo", "x")).id();
  rig_.dispatcher->Resume("a");
  rig_.RunAll("a");
  EXPECT_EQ(rig_.dispatcher->Get(old_job)->result, "x");
  EXPECT_EQ(rig_.dispatcher->Get(new_job)->result, "new definition");
}

// --- shutdown ------------------------------------------------------------------------------------

TEST_F(DispatcherPoolsTest, AShutdownThatDrainsRunsTheQueue) {
  StartHeld();
  rig_.Post(MakeWork("echo"));
  bool idle = false;
  rig_.dispatcher->StopAccepting(true, [&] { idle = true; });
  EXPECT_EQ(rig_.Post(MakeWork("echo")).error().code, ErrorCode::kDraining);
  EXPECT_EQ(rig_.RunAll("a"), 1);
  EXPECT_FALSE(idle);
  held_->Take()->Finish(Outcome::Success());
  EXPECT_TRUE(idle);
  EXPECT_EQ(rig_.dispatcher->GiveUp(100).count, 0u);
  EXPECT_TRUE(rig_.dispatcher->JoinPools(rig_.clock.Now()));
}

TEST_F(DispatcherPoolsTest, AShutdownThatStopsEndsWaitsOnQueuedJobsAtOnce) {  // case 59
  const JobId active = StartHeld();
  const JobId blocked = StartHeld();
  const JobId queued = rig_.Post(MakeWork("echo")).id();
  const WaitProbe queued_wait = rig_.Wait(queued);
  const WaitProbe active_wait = rig_.Wait(active);
  bool idle = false;
  rig_.dispatcher->StopAccepting(false, [&] { idle = true; });
  ASSERT_EQ(queued_wait->size(), 1u);
  EXPECT_EQ(queued_wait->front().error().code, ErrorCode::kShuttingDown);
  EXPECT_EQ(rig_.Wait(queued)->front().error().code, ErrorCode::kShuttingDown);
  EXPECT_TRUE(active_wait->empty());
  held_->Take()->Finish(Outcome::Success());
  EXPECT_EQ(active_wait->front()->state, JobState::kSucceeded);
  EXPECT_FALSE(idle);
  held_->Take()->Finish(Outcome::Success());
  EXPECT_TRUE(idle);
  EXPECT_EQ(rig_.RunAll("a"), 0);
  const std::vector<JobView> lost = rig_.dispatcher->GiveUp(100).first;
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost.front().job->id, queued);
  EXPECT_EQ(lost.front().state, JobState::kQueued);
  EXPECT_EQ(lost.front().attempt, 0);
  EXPECT_EQ(rig_.State(blocked), JobState::kSucceeded);
}

TEST_F(DispatcherPoolsTest, OfManyLostJobsTheOldestAreNamed) {
  std::vector<JobId> ids;
  for (int i = 0; i < 7; ++i) ids.push_back(StartHeld());
  rig_.dispatcher->Cancel(std::vector{ids[2]});
  rig_.dispatcher->StopAccepting(true, [] {});
  rig_.dispatcher->StopHandlers(seconds(1));
  const LostJobs lost = rig_.dispatcher->GiveUp(3);
  EXPECT_EQ(lost.count, 6u);
  ASSERT_EQ(lost.first.size(), 3u);
  EXPECT_EQ(lost.first[0].job->id, ids[0]);
  EXPECT_EQ(lost.first[1].job->id, ids[1]);
  EXPECT_EQ(lost.first[2].job->id, ids[3]);
  while (const auto attempt = held_->Take()) attempt->Finish(Outcome::Failure("over"));
}

TEST_F(DispatcherPoolsTest, StoppedHandlersAreInterruptedOrSucceed) {
  const JobId interrupted = StartHeld();
  const JobId lucky = StartHeld();
  const WaitProbe wait = rig_.Wait(interrupted);
  bool idle = false;
  rig_.dispatcher->StopAccepting(true, [&] { idle = true; });
  rig_.dispatcher->StopHandlers(milliseconds(500));
  EXPECT_EQ(held_->Front()->kill_grace(), milliseconds(500));
  EXPECT_TRUE(held_->Front()->stop_token().stop_requested());
  held_->Take()->Finish(Outcome::Failure("told to stop"));
  held_->Take()->Finish(Outcome::Success());
  EXPECT_TRUE(idle);
  EXPECT_EQ(wait->front().error().code, ErrorCode::kShuttingDown);
  EXPECT_EQ(rig_.State(lucky), JobState::kSucceeded);
  const std::vector<JobView> lost = rig_.dispatcher->GiveUp(100).first;
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost.front().job->id, interrupted);
  EXPECT_EQ(lost.front().attempt, 1);  // it had started
  EXPECT_EQ(rig_.observer.ended(AttemptOutcome::kInterrupted), 1u);
}

TEST_F(DispatcherPoolsTest, AllThatIsLostIsCountedAndTheOldestNamed) {
  StartHeld();
  StartHeld();
  std::vector<JobId> queued;
  for (int i = 0; i < 3; ++i) queued.push_back(rig_.Post(MakeWork("echo")).id());
  rig_.dispatcher->StopAccepting(false, [] {});
  held_->Take()->Finish(Outcome::Success());
  held_->Take()->Finish(Outcome::Success());
  const LostJobs lost = rig_.dispatcher->GiveUp(2);
  EXPECT_EQ(lost.count, 3u);
  ASSERT_EQ(lost.first.size(), 2u);
  EXPECT_EQ(lost.first[0].job->id, queued[0]);
  EXPECT_EQ(lost.first[1].job->id, queued[1]);
}

TEST_F(DispatcherPoolsTest, AHandlerThatNeverStopsIsGivenUp) {  // case 15
  const JobId id = StartHeld();
  const WaitProbe wait = rig_.Wait(id);
  std::vector<Result<void>> drained;
  ASSERT_TRUE(
      rig_.dispatcher->Drain("a", [&](Result<void> r) { drained.push_back(std::move(r)); }));
  rig_.dispatcher->StopAccepting(false, [] {});
  rig_.dispatcher->StopHandlers(milliseconds(500));
  EXPECT_TRUE(wait->empty());
  const std::vector<JobView> lost = rig_.dispatcher->GiveUp(100).first;
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_TRUE(lost.front().stopping);
  ASSERT_EQ(wait->size(), 1u);
  EXPECT_EQ(wait->front().error().code, ErrorCode::kShuttingDown);
  ASSERT_EQ(drained.size(), 1u);
  EXPECT_EQ(drained.front().error().code, ErrorCode::kShuttingDown);
  held_->Take()->Finish(Outcome::Success("too late"));
  EXPECT_EQ(wait->size(), 1u);
  EXPECT_EQ(rig_.own_store->Find(id), nullptr);
  EXPECT_EQ(rig_.Pool("a").stats.active, 0u);
}

TEST_F(DispatcherPoolsTest, QueuedJobsMayStillBeCancelledDuringAShutdown) {  // case 31
  StartHeld();
  StartHeld();
  for (int i = 0; i < 5; ++i) rig_.Post(MakeWork("echo"));
  rig_.dispatcher->StopAccepting(false, [] {});
  JobFilter queued;
  queued.states = {JobState::kQueued};
  EXPECT_EQ(rig_.dispatcher->CancelMatching(queued).cancelled, 5u);
  EXPECT_EQ(rig_.observer.in_state(JobState::kCancelled), 5u);
  held_->Take()->Finish(Outcome::Success());
  held_->Take()->Finish(Outcome::Success());
  EXPECT_EQ(rig_.dispatcher->GiveUp(100).count, 0u);
}

}  // namespace
}  // namespace workpool
