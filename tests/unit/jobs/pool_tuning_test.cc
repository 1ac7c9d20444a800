#include "jobs/pool_tuning.h"

#include <gtest/gtest.h>

#include <numeric>

namespace workpool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class PoolTuningTest : public testing::Test {
 protected:
  static PoolConfig Auto(std::uint32_t min, std::uint32_t max) {
    PoolConfig config;
    config.name = "p";
    config.limits.workers = max;
    config.sizing = Sizing::kAuto;
    config.min_workers = min;
    config.first_workers = 6;
    return config;
  }

  // An interval in which jobs of 10 ms kept all workers busy, up to `useful` of them to any avail.
  std::optional<PoolTuning::Step> Press(std::uint32_t useful) {
    const std::uint32_t workers = tuning_.View()->last.workers;
    const milliseconds run = milliseconds(10) * std::max(workers, useful) / useful;
    for (std::int64_t i = workers * (interval_ / run); i > 0; --i) tuning_.CountRun(run);
    now_ += interval_;
    PoolStats stats;
    stats.limits.workers = workers;
    stats.active = stats.places_taken = workers;
    stats.queued = 500;
    const auto step = tuning_.Decide(stats, now_, WallTime(now_.time_since_epoch()));
    if (step) interval_ = step->next_in;
    return step;
  }

  PoolTuning tuning_;
  SteadyTime now_{seconds(1)};
  std::chrono::nanoseconds interval_ = milliseconds(500);
};

TEST_F(PoolTuningTest, RestsWhereTheConfigSaysTheSize) {
  PoolConfig fixed = Auto(1, 64);
  fixed.sizing = Sizing::kFixed;
  EXPECT_EQ(tuning_.Configure(fixed), std::nullopt);
  EXPECT_FALSE(tuning_.View());
  EXPECT_FALSE(tuning_.Decide({}, now_, {}));
  EXPECT_FALSE(tuning_.Skip());
}

TEST_F(PoolTuningTest, KeepsWhatItKnowsOverAReloadOfTheSameBounds) {
  EXPECT_EQ(tuning_.Configure(Auto(1, 64)), 6u);
  for (int i = 0; i < 40; ++i) Press(16);
  const std::uint32_t found = tuning_.View()->last.workers;
  EXPECT_GE(found, 15u);
  EXPECT_LE(found, 19u);
  EXPECT_EQ(tuning_.Configure(Auto(1, 64)), found);
  EXPECT_EQ(tuning_.Configure(Auto(1, 8)), 8u);
  EXPECT_EQ(tuning_.Configure(Auto(30, 64)), 30u);
}

TEST_F(PoolTuningTest, CountsEachDecisionByItsReason) {
  tuning_.Configure(Auto(1, 64));
  for (int i = 0; i < 50; ++i) Press(16);
  const TuningView view = *tuning_.View();
  EXPECT_EQ(std::accumulate(view.decisions.begin(), view.decisions.end(), std::uint64_t{0}), 50u);
  EXPECT_GT(view.decisions[static_cast<std::size_t>(TuneReason::kMore)], 0u);
  EXPECT_GT(view.decisions[static_cast<std::size_t>(TuneReason::kSettled)], 0u);
}

TEST_F(PoolTuningTest, TellsWhatItHasFoundAndNotEachStepOrTooOften) {
  tuning_.Configure(Auto(1, 64));
  std::vector<SteadyTime> told;
  std::uint32_t before = 6;
  for (int i = 0; i < 400; ++i) {
    // The world changes every few decisions.
    const auto step = Press(i / 10 % 2 == 0 ? 16 : 5);
    if (!step->instead_of) continue;
    EXPECT_EQ(*step->instead_of, before);
    before = step->decision.workers;
    EXPECT_TRUE(told.empty() || now_ - told.back() >= seconds(10));
    told.push_back(now_);
  }
  EXPECT_GT(told.size(), 1u);
}

TEST_F(PoolTuningTest, LooksLessOftenWhileNothingRuns) {
  tuning_.Configure(Auto(1, 64));
  tuning_.Decide({}, now_, {});
  const auto step = tuning_.Decide({}, now_ + seconds(1), {});
  EXPECT_EQ(step->decision, (TuneDecision{6, TuneReason::kIdle}));
  EXPECT_EQ(step->next_in, seconds(1));
}

TEST_F(PoolTuningTest, OnlyOneLooksAfterIt) {
  EXPECT_TRUE(tuning_.Claim());
  EXPECT_FALSE(tuning_.Claim());
  tuning_.Unclaim();
  EXPECT_TRUE(tuning_.Claim());
}

}  // namespace
}  // namespace workpool
