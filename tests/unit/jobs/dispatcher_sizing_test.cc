// Pools whose size is a range: elastic ones, and ones that the daemon sizes.
#include <gtest/gtest.h>

#include "fakes/dispatcher_rig.h"

namespace workpool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class DispatcherSizingTest : public ::testing::Test {
 protected:
  static PoolConfig Range(Sizing sizing, std::uint32_t min, std::uint32_t max) {
    PoolConfig pool = MakePoolConfig("default", max, 1000);
    pool.sizing = sizing;
    pool.min_workers = min;
    pool.first_workers = 6;
    return pool;
  }
  void Start(const PoolConfig& pool) {
    DispatcherConfig config;
    config.pools = {pool};
    config.handlers = {MakeHandlerConfig("held", "", held_)};
    rig_.Start(config);
  }
  void Reload(const PoolConfig& pool) {
    DispatcherConfig config;
    config.pools = {pool};
    config.handlers = {MakeHandlerConfig("held", "", held_)};
    rig_.dispatcher->Reconfigure(config);
  }
  std::uint32_t Workers() const { return rig_.Pool().stats.limits.workers; }

  // For so long, jobs of 100 ms keep all workers busy, and more wait.
  void Press(milliseconds time) {
    for (milliseconds passed{0}; passed < time; passed += milliseconds(100)) {
      while (rig_.Pool().stats.queued < 100) rig_.Post(MakeWork("held"));
      rig_.RunAll();
      const std::size_t busy = held_->size();
      rig_.Advance(milliseconds(100));
      for (std::size_t i = 0; i < busy; ++i) held_->Take()->Finish(Outcome::Success());
    }
  }

  std::shared_ptr<HeldHandler> held_ = std::make_shared<HeldHandler>();
  DispatcherRig rig_;
};

TEST_F(DispatcherSizingTest, AnElasticPoolRunsAsManyAsItMay) {
  Start(Range(Sizing::kElastic, 2, 9));
  for (int i = 0; i < 12; ++i) rig_.Post(MakeWork("held"));
  EXPECT_EQ(rig_.Pool().stats.active, 9u);
  EXPECT_FALSE(rig_.Pool().tuning);
}

TEST_F(DispatcherSizingTest, ThePoolIsSizedByWhatHappens) {
  Start(Range(Sizing::kAuto, 1, 64));
  EXPECT_EQ(Workers(), 6u);
  Press(seconds(30));
  EXPECT_GT(Workers(), 40u);
  const PoolView view = rig_.Pool();
  ASSERT_TRUE(view.tuning);
  EXPECT_EQ(view.tuning->last.workers, Workers());
  EXPECT_GT(view.tuning->at, WallTime{});
  EXPECT_GT(view.tuning->decisions[static_cast<std::size_t>(TuneReason::kMore)], 0u);
  EXPECT_EQ(view.configured.limits.workers, 64u);
}

TEST_F(DispatcherSizingTest, AWeightIsTooHeavyOnlyAboveTheMostWorkersThatThereMayBe) {
  Start(Range(Sizing::kAuto, 1, 64));
  ASSERT_EQ(Workers(), 6u);
  Work work = MakeWork("held");
  rig_.Post(work);
  work.weight = 64;
  const JobId heavy = rig_.Post(work).id();
  const JobId behind = rig_.Post(MakeWork("held")).id();
  rig_.RunAll();
  EXPECT_EQ(rig_.State(heavy), JobState::kQueued);
  held_->Take()->Finish(Outcome::Success());
  rig_.RunAll();
  EXPECT_EQ(rig_.State(heavy), JobState::kActive);  // alone
  EXPECT_EQ(rig_.State(behind), JobState::kQueued);
  work.weight = 65;
  EXPECT_EQ(rig_.Post(work).error().message,
            "weight: 65 is more than the 64 workers that the pool \"default\" may have");
  // A resize for a while refuses nothing that the pool takes before and after.
  ASSERT_TRUE(
      rig_.dispatcher->Resize("default", {.workers = 3, .capacity = {}, .hold_for = seconds(30)}));
  work.weight = 64;
  EXPECT_TRUE(rig_.Post(work).accepted());
  ASSERT_TRUE(
      rig_.dispatcher->Resize("default", {.workers = 80, .capacity = {}, .hold_for = seconds(30)}));
  work.weight = 80;
  EXPECT_TRUE(rig_.Post(work).accepted());
  while (const auto attempt = held_->Take()) attempt->Finish(Outcome::Success());
}

TEST_F(DispatcherSizingTest, AResizeHoldsAgainstTheTuner) {
  Start(Range(Sizing::kAuto, 1, 64));
  ASSERT_TRUE(
      rig_.dispatcher->Resize("default", {.workers = 3, .capacity = {}, .hold_for = seconds(30)}));
  Press(seconds(29));
  EXPECT_EQ(Workers(), 3u);
  EXPECT_TRUE(rig_.Pool().workers_resized);
  Press(seconds(30));
  EXPECT_GT(Workers(), 12u);
  EXPECT_FALSE(rig_.Pool().workers_resized);
}

TEST_F(DispatcherSizingTest, AReloadTurnsItOnAndOff) {
  Start(MakePoolConfig("default", 4, 1000));
  Press(seconds(10));
  EXPECT_EQ(Workers(), 4u);
  Reload(Range(Sizing::kAuto, 1, 64));
  Press(seconds(30));
  EXPECT_GT(Workers(), 12u);
  Reload(MakePoolConfig("default", 4, 1000));
  EXPECT_EQ(Workers(), 4u);
  EXPECT_FALSE(rig_.Pool().tuning);
  Press(seconds(10));
  EXPECT_EQ(Workers(), 4u);
  // Off and on again between two of its steps: one is enough to look after it.
  Reload(Range(Sizing::kAuto, 1, 8));
  Reload(MakePoolConfig("default", 4, 1000));
  Reload(Range(Sizing::kAuto, 1, 8));
  Press(seconds(60));
  EXPECT_EQ(Workers(), 8u);
}

TEST_F(DispatcherSizingTest, ARemovedPoolGoesAlthoughItIsLookedAfter) {
  Start(Range(Sizing::kAuto, 1, 64));
  rig_.Advance(seconds(1));
  DispatcherConfig other;
  other.pools = {MakePoolConfig("other", 1, 1)};
  rig_.dispatcher->Reconfigure(other);
  for (int i = 0; i < 10; ++i) rig_.Advance(seconds(1));
  EXPECT_FALSE(rig_.dispatcher->Pool("default"));
}

}  // namespace
}  // namespace workpool
