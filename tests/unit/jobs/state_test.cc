#include "jobs/state.h"

#include <gtest/gtest.h>

namespace workpool {
namespace {

TEST(State, HasExactlyTheTransitionsOfTheTable) {
  int transitions = 0;
  for (int from = 0; from < kJobStates; ++from) {
    for (int event = 0; event < kJobEvents; ++event) {
      if (Transition(static_cast<JobState>(from), static_cast<JobEvent>(event))) ++transitions;
    }
  }
  EXPECT_EQ(transitions, 7);
  EXPECT_EQ(Next(JobState::kQueued, JobEvent::kTaken), JobState::kActive);
  EXPECT_EQ(Next(JobState::kQueued, JobEvent::kCancelWaiting), JobState::kCancelled);
  EXPECT_EQ(Next(JobState::kQueued, JobEvent::kRunDeadline), JobState::kDead);
  EXPECT_EQ(Next(JobState::kActive, JobEvent::kSucceed), JobState::kSucceeded);
  EXPECT_EQ(Next(JobState::kActive, JobEvent::kFail), JobState::kDead);
  EXPECT_EQ(Next(JobState::kActive, JobEvent::kEndCancelled), JobState::kCancelled);
  EXPECT_EQ(Next(JobState::kActive, JobEvent::kInterrupt), JobState::kQueued);
}

TEST(State, NothingLeavesAFinalState) {
  for (const JobState state :
       {JobState::kSucceeded, JobState::kDead, JobState::kCancelled, JobState::kExpired}) {
    EXPECT_TRUE(IsFinished(state));
    for (int event = 0; event < kJobEvents; ++event) {
      EXPECT_FALSE(Transition(state, static_cast<JobEvent>(event)));
    }
  }
  EXPECT_FALSE(IsFinished(JobState::kActive));
}

TEST(StateDeathTest, AnImpossibleTransitionAborts) {
  EXPECT_DEATH(Next(JobState::kSucceeded, JobEvent::kTaken), "impossible");
}

TEST(State, NamesGoBothWays) {
  for (int state = 0; state < kJobStates; ++state) {
    const auto value = static_cast<JobState>(state);
    EXPECT_EQ(StateFromName(NameOf(value)), value);
  }
  EXPECT_EQ(NameOf(JobState::kQueued), "QUEUED");
  EXPECT_FALSE(StateFromName("queued"));
}

}  // namespace
}  // namespace workpool
