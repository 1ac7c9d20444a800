#include "jobs/retry_estimate.h"

#include <gtest/gtest.h>

#include <set>

namespace workpool {
namespace {

using std::chrono::milliseconds;

SteadyTime At(milliseconds ms) { return SteadyTime(ms); }

TEST(RetryEstimate, SaysAboutASecondBeforeAnythingHasFinished) {
  RetryEstimate estimate;
  const auto after = estimate.RetryAfter(At(milliseconds(77)));
  EXPECT_GE(after, milliseconds(1000));
  EXPECT_LE(after, milliseconds(1500));
}

TEST(RetryEstimate, FollowsThePaceOfCompletions) {
  RetryEstimate estimate;
  milliseconds now(1);
  for (int i = 0; i < 50; ++i) estimate.OnCompletion(At(now += milliseconds(100)));
  EXPECT_GE(estimate.RetryAfter(At(now)), milliseconds(100));
  EXPECT_LE(estimate.RetryAfter(At(now)), milliseconds(151));
}

TEST(RetryEstimate, StaysWithinItsBounds) {
  RetryEstimate fast;
  for (int i = 1; i < 50; ++i) fast.OnCompletion(SteadyTime(std::chrono::microseconds(i)));
  EXPECT_EQ(fast.RetryAfter(SteadyTime(std::chrono::microseconds(50))), RetryEstimate::kShortest);
  RetryEstimate slow;
  slow.OnCompletion(At(milliseconds(1)));
  slow.OnCompletion(At(milliseconds(10'000'000)));
  EXPECT_EQ(slow.RetryAfter(At(milliseconds(90'000'000))), RetryEstimate::kLongest);
}

TEST(RetryEstimate, GrowsWhileNothingFinishes) {
  RetryEstimate estimate;
  milliseconds now(1);
  for (int i = 0; i < 50; ++i) estimate.OnCompletion(At(now += milliseconds(20)));
  EXPECT_GE(estimate.RetryAfter(At(now + milliseconds(2000))), milliseconds(2000));
}

TEST(RetryEstimate, ScattersItsAnswers) {
  RetryEstimate estimate;
  std::set<milliseconds> answers;
  for (int i = 0; i < 100; ++i) answers.insert(estimate.RetryAfter(At(milliseconds(1))));
  EXPECT_GT(answers.size(), 50u);
}

}  // namespace
}  // namespace workpool
