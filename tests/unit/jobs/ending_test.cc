#include "jobs/ending.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workpool {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kMaxResult = 1000;

struct Ended : Ending, JobView {};

Ended End(Outcome outcome, StopReason told = StopReason::kNone) {
  Report report = MakeReport(std::move(outcome), kMaxResult);
  const Ending ending = Decide(report, told);
  return {ending, std::move(report.view)};
}

TEST(Ending, AResultIsASuccessWhateverTheHandlerWasTold) {
  for (const StopReason told :
       {StopReason::kNone, StopReason::kShutdown, StopReason::kTimeout, StopReason::kCancel}) {
    const Ended ending = End(Outcome::Success("r"), told);
    EXPECT_EQ(ending.event, JobEvent::kSucceed);
    EXPECT_EQ(ending.outcome, AttemptOutcome::kSucceeded);
    EXPECT_EQ(ending.result, "r");
    EXPECT_FALSE(ending.failure);
  }
}

TEST(Ending, AFailureIsWhatTheHandlerWasToldToStopFor) {
  const Ended plain = End(Outcome::NoRetry("no", "BROKEN"));
  EXPECT_EQ(plain.event, JobEvent::kFail);
  EXPECT_EQ(plain.outcome, AttemptOutcome::kFailed);
  EXPECT_EQ(plain.failure->code, "BROKEN");
  EXPECT_EQ(plain.failure->message, "no");
  EXPECT_TRUE(plain.failure->no_retry);

  const Ended cancelled = End(Outcome::Failure("half way"), StopReason::kCancel);
  EXPECT_EQ(cancelled.event, JobEvent::kEndCancelled);
  EXPECT_EQ(cancelled.failure->code, "CANCELLED");
  EXPECT_THAT(cancelled.failure->message, HasSubstr("half way"));

  const Ended late = End(Outcome::Failure("half way"), StopReason::kTimeout);
  EXPECT_EQ(late.event, JobEvent::kFail);
  EXPECT_EQ(late.outcome, AttemptOutcome::kTimeout);
  EXPECT_EQ(late.failure->code, "TIMEOUT");

  const Ended interrupted = End(Outcome::Failure("half way"), StopReason::kShutdown);
  EXPECT_EQ(interrupted.event, JobEvent::kInterrupt);
  EXPECT_EQ(interrupted.outcome, AttemptOutcome::kInterrupted);
}

TEST(Ending, WhatWasStoppedIsNoSuccess) {
  EXPECT_EQ(End(Outcome::Success("partial").Stopped(), StopReason::kCancel).event,
            JobEvent::kEndCancelled);
  EXPECT_EQ(End(Outcome::Success("partial").Stopped(), StopReason::kTimeout).failure->code,
            "TIMEOUT");
  EXPECT_EQ(End(Outcome::Success("partial").Stopped()).event, JobEvent::kFail);
}

TEST(Ending, AResultOverTheLimitIsDead) {  // case 44
  EXPECT_EQ(End(Outcome::Success(std::string(kMaxResult, 'r'))).event, JobEvent::kSucceed);
  for (const StopReason told : {StopReason::kNone, StopReason::kCancel, StopReason::kTimeout}) {
    const Ended ending = End(Outcome::Success(std::string(kMaxResult + 1, 'r')), told);
    EXPECT_EQ(ending.event, JobEvent::kFail);
    EXPECT_EQ(ending.failure->code, "RESULT_TOO_LARGE");
    EXPECT_TRUE(ending.result.empty());
  }
}

TEST(Ending, OutputBesideAFailureIsCut) {
  const Ended ending =
      End(Outcome::Failure("exit 1").WithResult(std::string(kMaxResult + 5, 'o'), false));
  EXPECT_EQ(ending.result.size(), kMaxResult);
  EXPECT_TRUE(ending.result_truncated);
}

TEST(Ending, TextsAreMadeValidAndCapped) {  // case 43
  std::string text("a\0b\xff", 4);
  text += std::string(10'000'000, 'x');
  const Ended ending = End(Outcome::Failure(text, std::string("C\0\xfe", 3)));
  EXPECT_LE(ending.failure->message.size(), kErrorMessageBytes);
  EXPECT_EQ(ending.failure->message.find('\0'), std::string::npos);
  EXPECT_THAT(ending.failure->message, HasSubstr("a\xef\xbf\xbd"));
  EXPECT_EQ(ending.failure->code, "C\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_LE(End(Outcome::Failure(text), StopReason::kTimeout).failure->message.size(),
            kErrorMessageBytes);
  EXPECT_EQ(End(Outcome::Failure("m", "")).failure->code, "FAILED");
}

}  // namespace
}  // namespace workpool
