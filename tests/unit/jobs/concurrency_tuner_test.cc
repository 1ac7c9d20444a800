// The tuner's rules one by one; tests/sim has it find its way.
#include "jobs/concurrency_tuner.h"

#include <gtest/gtest.h>

#include <cmath>

namespace workpool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ConcurrencyTunerTest : public testing::Test {
 protected:
  // An interval with so many workers busy all the time, on jobs of 100 ms.
  TuneDecision Step(std::uint64_t queued, double busy, milliseconds run = milliseconds(100)) {
    const auto interval = tuner_.Interval();
    now_ += interval;
    const double runs = busy * std::chrono::duration<double>(interval).count() /
                        std::chrono::duration<double>(run).count();
    return tuner_.Decide({.now = now_,
                          .completions = static_cast<std::uint64_t>(std::llround(runs)),
                          .mean_run = run,
                          .active = static_cast<std::uint64_t>(std::ceil(busy)),
                          .queued = queued,
                          .turned_away = turned_away_,
                          .full = false});
  }
  TuneDecision Idle() {
    now_ += tuner_.Interval();
    return tuner_.Decide({.now = now_});
  }

  ConcurrencyTuner tuner_{1, 64, 6};
  SteadyTime now_{seconds(1)};
  std::uint64_t turned_away_ = 0;
};

TEST_F(ConcurrencyTunerTest, BeginsBetweenItsBounds) {
  EXPECT_EQ(ConcurrencyTuner(2, 64, 1).workers(), 2u);
  EXPECT_EQ(ConcurrencyTuner(2, 4, 6).workers(), 4u);
  EXPECT_EQ(tuner_.workers(), 6u);
  EXPECT_EQ(Step(100, 6), (TuneDecision{6, TuneReason::kMeasuring}));
}

TEST_F(ConcurrencyTunerTest, GrowsUnderALoadThatWaits) {
  TuneDecision decision;
  for (int i = 0; i < 10 && decision.reason != TuneReason::kMore; ++i) decision = Step(100, 6);
  EXPECT_EQ(decision, (TuneDecision{12, TuneReason::kMore}));
  EXPECT_EQ(Step(100, 12), (TuneDecision{24, TuneReason::kMore}));
}

TEST_F(ConcurrencyTunerTest, GrowsWherePostsAreTurnedAwayWithoutAQueue) {
  turned_away_ = 50;
  TuneDecision decision;
  for (int i = 0; i < 10 && decision.reason != TuneReason::kMore; ++i) decision = Step(0, 6);
  EXPECT_EQ(decision.workers, 12u);
}

// Most of a worker's time may go into what is not the job itself.
TEST_F(ConcurrencyTunerTest, GrowsUnderAFullQueueOfTheShortestJobs) {
  TuneDecision decision;
  for (int i = 0; i < 10 && decision.reason != TuneReason::kMore; ++i) {
    now_ += tuner_.Interval();
    decision = tuner_.Decide({.now = now_,
                              .completions = 200'000,
                              .mean_run = std::chrono::microseconds(1),
                              .active = 6,
                              .queued = 1000,
                              .turned_away = 0,
                              .full = true});
  }
  EXPECT_EQ(decision.workers, 12u);
}

TEST_F(ConcurrencyTunerTest, StaysWhileNothingRuns) {
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Idle().workers, 6u);
  EXPECT_EQ(Idle().reason, TuneReason::kIdle);
  // A paused pool with a queue runs nothing either.
  now_ += seconds(1);
  EXPECT_EQ(tuner_.Decide({.now = now_, .queued = 500}), (TuneDecision{6, TuneReason::kIdle}));
}

TEST_F(ConcurrencyTunerTest, FollowsALightLoadDownAndThenStays) {
  TuneDecision decision;
  for (int i = 0; i < 40; ++i) decision = Step(0, 2);
  EXPECT_EQ(decision, (TuneDecision{3, TuneReason::kSpare}));
  for (int i = 0; i < 200; ++i) EXPECT_EQ(Step(0, i % 2 == 0 ? 1.8 : 2.2).workers, 3u);
}

TEST_F(ConcurrencyTunerTest, TriesNoSizeAgainThatWasTooSmallForTheLoad) {
  for (int i = 0; i < 40; ++i) Step(0, 2);
  ASSERT_EQ(tuner_.workers(), 3u);
  for (int i = 0; i < 10 && tuner_.workers() == 3; ++i) Step(1000, 3);
  ASSERT_GT(tuner_.workers(), 3u);
  for (int i = 0; i < 100; ++i) Step(0, 2);
  EXPECT_EQ(tuner_.workers(), 4u);
  for (int i = 0; i < 100; ++i) Step(0, 1);
  EXPECT_EQ(tuner_.workers(), 2u);
}

TEST_F(ConcurrencyTunerTest, KeepsWhatShortPeaksNeed) {
  for (int i = 0; i < 100; ++i) Step(0, i % 10 < 3 ? 5 : 1);
  EXPECT_EQ(tuner_.workers(), 6u);
}

TEST_F(ConcurrencyTunerTest, NeverGrowsForJobsThatMayNotRun) {
  for (int i = 0; i < 100; ++i) EXPECT_LE(Step(500, 2).workers, 6u);
}

TEST_F(ConcurrencyTunerTest, AsksForLongerIntervalsOfLongerJobs) {
  EXPECT_EQ(tuner_.Interval(), milliseconds(500));
  for (int i = 0; i < 20; ++i) Step(0, 2, milliseconds(1));
  EXPECT_EQ(tuner_.Interval(), milliseconds(500));
  for (int i = 0; i < 20; ++i) Step(0, 2, milliseconds(500));
  EXPECT_GE(tuner_.Interval(), seconds(9));
  for (int i = 0; i < 20; ++i) Step(0, 2, seconds(100));
  EXPECT_EQ(tuner_.Interval(), seconds(60));
}

TEST_F(ConcurrencyTunerTest, ForgetsWhatHappenedWhileItRested) {
  Step(100, 6);
  Step(100, 6);
  tuner_.Rest();
  now_ += seconds(1000);
  // Only sets the time, whatever it says.
  EXPECT_EQ(Idle(), (TuneDecision{6, TuneReason::kMeasuring}));
  EXPECT_EQ(Idle(), (TuneDecision{6, TuneReason::kIdle}));
}

}  // namespace
}  // namespace workpool
