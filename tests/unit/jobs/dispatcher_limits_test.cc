// Weights of posts and max_active of handlers, through the dispatcher.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/dispatcher_rig.h"

namespace workpool {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DispatcherLimitsTest : public ::testing::Test {
 protected:
  DispatcherLimitsTest() {
    config_.pools = {MakePoolConfig("a", 4, 10)};
    config_.handlers = {MakeHandlerConfig("held", "a", held_),
                        MakeHandlerConfig("other", "a", held_)};
    config_.handlers[0].max_active = 2;
    rig_.Start(config_);
  }

  // An attempt that is still held would keep its job, and the job its handler.
  void TearDown() override {
    while (const auto attempt = held_->Take()) attempt->Finish(Outcome::Failure("test over"));
  }

  static Work Heavy(std::uint32_t weight) {
    Work work = MakeWork("other");
    work.weight = weight;
    return work;
  }
  JobId Post(const std::string& handler = "held") { return rig_.Post(MakeWork(handler)).id(); }
  void Run() {
    for (const auto& [name, pool] : rig_.pools) rig_.RunAll(name);
  }
  void FinishOne() {
    held_->Take()->Finish(Outcome::Success());
    Run();
  }

  void MoveHeldTo(const std::string& pool) {
    config_.pools.push_back(MakePoolConfig(pool, 4, 10));
    config_.handlers[0].pool = pool;
    rig_.dispatcher->Reconfigure(config_);
    Run();
  }
  std::uint64_t Active() { return rig_.Pool("a").stats.active + rig_.Pool("b").stats.active; }

  std::shared_ptr<HeldHandler> held_ = std::make_shared<HeldHandler>();
  DispatcherConfig config_;
  DispatcherRig rig_;
};

TEST_F(DispatcherLimitsTest, AWeightTakesPlacesAndIsShown) {
  const JobId heavy = rig_.Post(Heavy(3)).id();
  const JobId light = Post("other");
  const JobId waits = Post("other");
  Run();
  EXPECT_EQ(rig_.State(heavy), JobState::kActive);
  EXPECT_EQ(rig_.State(light), JobState::kActive);
  EXPECT_EQ(rig_.State(waits), JobState::kQueued);
  EXPECT_EQ(rig_.Pool("a").stats.active, 2u);
  EXPECT_EQ(rig_.Pool("a").stats.places_taken, 4u);
  EXPECT_EQ(rig_.dispatcher->Get(heavy)->job->weight, 3u);
  EXPECT_EQ(rig_.dispatcher->Get(light)->job->weight, 1u);
  EXPECT_EQ(rig_.dispatcher->Get(heavy)->worker, 0u);
  EXPECT_EQ(rig_.dispatcher->Get(light)->worker, 1u);
  FinishOne();
  EXPECT_EQ(rig_.Pool("a").stats.places_taken, 2u);
  EXPECT_EQ(rig_.dispatcher->Get(heavy)->job->weight, 3u);
}

TEST_F(DispatcherLimitsTest, AWeightThatThePoolCannotHoldIsABadField) {
  const PostProbe none = rig_.Post(Heavy(0));
  EXPECT_EQ(none.error().code, ErrorCode::kBadField);
  EXPECT_THAT(none.error().message, HasSubstr("weight: 0 "));
  const PostProbe more = rig_.Post(Heavy(5));
  EXPECT_EQ(more.error().code, ErrorCode::kBadField);
  EXPECT_EQ(more.error().message,
            "weight: 5 is more than the 4 workers that the pool \"a\" may have");
  EXPECT_TRUE(rig_.Post(Heavy(4)).accepted());
}

TEST_F(DispatcherLimitsTest, AHeavyJobThatThePoolHasShrunkBelowRunsAlone) {
  const JobId first = Post("other");
  const JobId heavy = rig_.Post(Heavy(4)).id();
  const JobId after = Post("other");
  ASSERT_TRUE(rig_.dispatcher->Resize("a", {.workers = 2, .capacity = {}, .hold_for = {}}));
  Run();
  EXPECT_EQ(rig_.State(first), JobState::kActive);
  EXPECT_EQ(rig_.State(heavy), JobState::kQueued);
  FinishOne();
  EXPECT_EQ(rig_.State(heavy), JobState::kActive);
  EXPECT_EQ(rig_.State(after), JobState::kQueued);
  FinishOne();
  EXPECT_EQ(rig_.State(after), JobState::kActive);
}

TEST_F(DispatcherLimitsTest, AHandlerAtItsLimitIsPassedOver) {
  const JobId a = Post();
  const JobId b = Post();
  const JobId c = Post();
  const JobId other = Post("other");
  Run();
  EXPECT_EQ(rig_.State(a), JobState::kActive);
  EXPECT_EQ(rig_.State(b), JobState::kActive);
  EXPECT_EQ(rig_.State(c), JobState::kQueued);
  EXPECT_EQ(rig_.State(other), JobState::kActive);
  FinishOne();
  EXPECT_EQ(rig_.State(c), JobState::kActive);
}

TEST_F(DispatcherLimitsTest, AReloadChangesTheLimitForJobsAlreadyAccepted) {
  std::vector<JobId> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(Post());
  Run();
  const auto active = [&] { return rig_.Pool("a").stats.active; };
  EXPECT_EQ(active(), 2u);
  config_.handlers[0].max_active = 3;
  EXPECT_THAT(rig_.dispatcher->Reconfigure(config_), ElementsAre("handler held: changed"));
  Run();
  EXPECT_EQ(active(), 3u);
  EXPECT_EQ(rig_.dispatcher->Handlers()[0].max_active, 3u);
  config_.handlers[0].max_active = 1;
  rig_.dispatcher->Reconfigure(config_);
  FinishOne();
  EXPECT_EQ(active(), 2u);
  config_.handlers[0].max_active = 0;
  rig_.dispatcher->Reconfigure(config_);
  Run();
  EXPECT_EQ(active(), 4u);
  EXPECT_EQ(rig_.State(ids.back()), JobState::kActive);
}

TEST_F(DispatcherLimitsTest, ALimitThatComesCountsTheJobsThatRun) {
  for (int i = 0; i < 3; ++i) Post("other");
  Run();
  config_.handlers[1].max_active = 3;
  rig_.dispatcher->Reconfigure(config_);
  const JobId fourth = Post("other");
  Run();
  EXPECT_EQ(rig_.State(fourth), JobState::kQueued);
}

TEST_F(DispatcherLimitsTest, ARemovedHandlersJobsKeepItsLimit) {
  for (int i = 0; i < 4; ++i) Post();
  config_.handlers.erase(config_.handlers.begin());
  rig_.dispatcher->Reconfigure(config_);
  Run();
  EXPECT_EQ(held_->size(), 2u);
  for (int i = 0; i < 4; ++i) FinishOne();
  EXPECT_EQ(rig_.Pool("a").stats.queued, 0u);
}

TEST_F(DispatcherLimitsTest, ALimitThatComesCountsTheJobsOfAHandlerThatHadNoSection) {
  config_.pools.push_back(MakePoolConfig("default", 4, 10));
  config_.handlers.push_back(MakeHandlerConfig("free", "", held_));
  rig_.dispatcher->Reconfigure(config_);
  const auto post = [this](const std::string& pool) {
    return rig_.Post(MakeWork("free", "", pool)).id();
  };
  post("a");
  post("default");
  Run();
  ASSERT_EQ(held_->size(), 2u);
  config_.handlers.back().pool = "a";
  config_.handlers.back().max_active = 2;
  rig_.dispatcher->Reconfigure(config_);
  const JobId waits = post("a");
  Run();
  EXPECT_EQ(rig_.State(waits), JobState::kQueued);
  FinishOne();  // of either pool: one of two may start
  EXPECT_EQ(rig_.State(waits), JobState::kActive);
}

TEST_F(DispatcherLimitsTest, AHandlerThatMovesHasOneLimitInBothPools) {
  const JobId first = Post();
  Post();
  const JobId old = Post();
  MoveHeldTo("b");
  const JobId moved = Post();
  Run();
  EXPECT_EQ(rig_.State(moved), JobState::kQueued);
  EXPECT_EQ(Active(), 2u);
  rig_.dispatcher->Cancel(std::vector{first});
  FinishOne();  // the older job goes first
  EXPECT_EQ(rig_.State(old), JobState::kActive);
  EXPECT_EQ(rig_.State(moved), JobState::kQueued);
  FinishOne();
  EXPECT_EQ(rig_.State(moved), JobState::kActive);
}

TEST_F(DispatcherLimitsTest, AMovedHandlersJobsInAPausedPoolHoldUpNobody) {
  Post();
  Post();
  const JobId old = Post();
  MoveHeldTo("b");
  ASSERT_TRUE(rig_.dispatcher->Pause("a"));
  const JobId moved = Post();
  FinishOne();
  EXPECT_EQ(rig_.State(moved), JobState::kActive);
  ASSERT_TRUE(rig_.dispatcher->Resume("a"));
  Run();
  EXPECT_EQ(rig_.State(old), JobState::kQueued);
  FinishOne();
  EXPECT_EQ(rig_.State(old), JobState::kActive);
  EXPECT_EQ(Active(), 2u);
}

TEST_F(DispatcherLimitsTest, AMovedHandlersOldPoolGoesAndTheLimitStays) {
  Post();
  config_.handlers[0].pool = "b";
  config_.handlers[1].pool = "b";
  config_.pools = {MakePoolConfig("b", 4, 10)};
  rig_.dispatcher->Reconfigure(config_);
  for (int i = 0; i < 3; ++i) Post();
  Run();
  EXPECT_EQ(held_->size(), 2u);
  FinishOne();
  EXPECT_EQ(held_->size(), 2u);
  EXPECT_EQ(rig_.Pool("b").stats.active, 2u);
}

TEST_F(DispatcherLimitsTest, ALimitTakenFromAMovedHandlerFreesBothPools) {
  for (int i = 0; i < 3; ++i) Post();
  MoveHeldTo("b");
  Post();
  config_.handlers[0].max_active = 0;
  rig_.dispatcher->Reconfigure(config_);
  Run();
  EXPECT_EQ(Active(), 4u);
  config_.handlers[0].max_active = 3;
  rig_.dispatcher->Reconfigure(config_);
  const JobId waits = Post();
  FinishOne();
  EXPECT_EQ(rig_.State(waits), JobState::kQueued);
  FinishOne();
  EXPECT_EQ(rig_.State(waits), JobState::kActive);
}

TEST_F(DispatcherLimitsTest, ACancelledJobBehindALimitFreesItsPlaceInTheQueue) {
  for (int i = 0; i < 2; ++i) Post();
  const JobId behind = Post();
  Run();
  rig_.dispatcher->Cancel(std::vector{behind});
  EXPECT_EQ(rig_.State(behind), JobState::kCancelled);
  EXPECT_EQ(rig_.Pool("a").stats.queued, 0u);
  FinishOne();
  EXPECT_EQ(rig_.Pool("a").stats.active, 1u);
}

}  // namespace
}  // namespace workpool
