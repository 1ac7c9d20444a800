#include "jobs/attempt_state.h"

#include <gtest/gtest.h>

#include "jobs/handler.h"
#include "pool/manual_pool.h"

namespace workpool {
namespace {

AttemptState MakeState(Place place = {}) {
  return AttemptState(place, 1, SteadyTime{}, WallTime{}, std::nullopt, std::chrono::seconds(5));
}

// A task whose Run answers as told, so that its place is really taken.
class PlaceTask final : public Task {
 public:
  RunStatus Run(Place place) noexcept override {
    taken = place;
    return RunStatus::kPending;
  }
  Place taken;
};

class AttemptPlaceTest : public ::testing::Test {
 protected:
  AttemptPlaceTest() {
    pool_.Offer(task_, WhenFull::kReject);
    pool_.RunOne();
  }
  std::uint64_t Active() const { return pool_.Read().active; }

  ManualPool pool_{PoolLimits{}};
  PlaceTask task_;
};

TEST_F(AttemptPlaceTest, AnInlineEndIsHandedBackByTheWorker) {
  AttemptState state = MakeState(task_.taken);
  state.HandBack(pool_, false);
  EXPECT_EQ(Active(), 1u);
  EXPECT_EQ(state.Returned(), RunStatus::kFinished);
}

TEST_F(AttemptPlaceTest, AnInlineEndThatSomebodyAwaitsIsHandedBackAtOnce) {
  AttemptState state = MakeState(task_.taken);
  state.HandBack(pool_, true);
  EXPECT_EQ(Active(), 0u);
  EXPECT_EQ(state.Returned(), RunStatus::kPending);
}

TEST_F(AttemptPlaceTest, ALateEndIsHandedBackByWhoeverEndsIt) {
  AttemptState state = MakeState(task_.taken);
  EXPECT_EQ(state.Returned(), RunStatus::kPending);
  EXPECT_EQ(Active(), 1u);
  state.HandBack(pool_, false);
  EXPECT_EQ(Active(), 0u);
}

TEST(AttemptState, TheFirstOutcomeCounts) {
  AttemptState state = MakeState();
  EXPECT_TRUE(state.ClaimOutcome());
  EXPECT_FALSE(state.ClaimOutcome());
}

TEST(AttemptState, StopReachesTokensTakenBeforeAndAfter) {
  AttemptState state = MakeState();
  const std::stop_token before = state.stop_token();
  EXPECT_FALSE(before.stop_requested());
  state.RequestStop(std::chrono::seconds(1));
  EXPECT_TRUE(before.stop_requested());
  EXPECT_TRUE(state.stop_token().stop_requested());
}

TEST(AttemptState, TheKillGraceOnlyShrinks) {
  AttemptState state = MakeState();
  state.RequestStop(std::chrono::seconds(9));
  EXPECT_EQ(state.kill_grace(), std::chrono::seconds(5));
  state.RequestStop(std::chrono::seconds(2));
  EXPECT_EQ(state.kill_grace(), std::chrono::seconds(2));
  state.RequestStop(std::nullopt);
  EXPECT_EQ(state.kill_grace(), std::chrono::seconds(2));
}

TEST(AttemptState, ProgressIsClampedAndTheNoteMadeValid) {
  AttemptState state = MakeState();
  JobView view;
  state.CopyProgress(view);
  EXPECT_FALSE(view.progress);
  for (const auto& [share, shown] : std::vector<std::pair<double, double>>{
           {-1, 0}, {0.5, 0.5}, {7, 1}, {std::numeric_limits<double>::quiet_NaN(), 0}}) {
    state.ReportProgress(share,
                         "\xff"
                         "half");
    state.CopyProgress(view);
    EXPECT_EQ(view.progress, shown);
  }
  EXPECT_EQ(view.progress_note, "\xef\xbf\xbdhalf");
}

TEST(AttemptState, TheLogIsCappedAndMadeValid) {
  AttemptState state = MakeState();
  state.AppendLog("line\n");
  EXPECT_EQ(state.CopyLog(), "line\n");
  state.AppendLog(std::string(kJobLogBytes, '\xff'));
  state.AppendLog("more");
  JobView view;
  state.CopyProgress(view);
  EXPECT_TRUE(view.log_truncated);
  EXPECT_LE(state.CopyLog().size(), kJobLogBytes);
  JobView end;
  state.MoveReportsTo(end);
  EXPECT_FALSE(end.log.empty());
  EXPECT_LE(end.log.size(), kJobLogBytes);
  JobView again;
  state.MoveReportsTo(again);
  EXPECT_TRUE(again.log.empty());
}

}  // namespace
}  // namespace workpool
