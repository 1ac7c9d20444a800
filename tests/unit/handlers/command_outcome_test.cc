#include "handlers/command_outcome.h"

#include <gtest/gtest.h>

#include <csignal>

namespace workpool {
namespace {

ChildExit Code(int code) {
  ChildExit exit;
  exit.code = code;
  exit.output = "out";
  return exit;
}

ChildExit Signal(int signal) {
  ChildExit exit;
  exit.signal = signal;
  return exit;
}

TEST(CommandOutcomeTest, ZeroIsSuccess) {
  const Outcome outcome = CommandOutcome(Code(0), 100, "a warning", false);
  EXPECT_TRUE(outcome.success());
  EXPECT_EQ(outcome.result(), "out");
  EXPECT_FALSE(outcome.truncated());
}

TEST(CommandOutcomeTest, CutOutputIsFlaggedAndTheOutcomeStays) {
  ChildExit exit = Code(0);
  exit.output_truncated = true;
  const Outcome outcome = CommandOutcome(std::move(exit), 100, "", false);
  EXPECT_TRUE(outcome.success());
  EXPECT_TRUE(outcome.truncated());
}

TEST(CommandOutcomeTest, OtherStatusIsFailureWithTheLastLine) {
  const Outcome outcome = CommandOutcome(Code(3), 100, "disk is full", false);
  EXPECT_FALSE(outcome.success());
  EXPECT_FALSE(outcome.no_retry());
  EXPECT_EQ(outcome.code(), "EXIT_3");
  EXPECT_EQ(outcome.message(), "exited with status 3: disk is full");
  EXPECT_EQ(outcome.result(), "out");
}

TEST(CommandOutcomeTest, AgreedStatusIsFailureForGood) {
  EXPECT_TRUE(CommandOutcome(Code(100), 100, "", false).no_retry());
  EXPECT_TRUE(CommandOutcome(Code(42), 42, "", false).no_retry());
  EXPECT_FALSE(CommandOutcome(Code(100), 42, "", false).no_retry());
}

TEST(CommandOutcomeTest, SignalsAreNamed) {
  EXPECT_EQ(CommandOutcome(Signal(SIGKILL), 100, "", false).code(), "SIGNAL_KILL");
  EXPECT_EQ(CommandOutcome(Signal(SIGSEGV), 100, "", false).message(), "ended by signal SEGV");
  EXPECT_EQ(CommandOutcome(Signal(40), 100, "", false).code(), "SIGNAL_40");
}

TEST(CommandOutcomeTest, ToldToStopIsNeverASuccessNorForGood) {
  for (const int status : {0, 1, 100}) {
    const Outcome outcome = CommandOutcome(Code(status), 100, "bye", true);
    EXPECT_FALSE(outcome.success()) << status;
    EXPECT_FALSE(outcome.no_retry()) << status;
    EXPECT_TRUE(outcome.stopped()) << status;
    EXPECT_EQ(outcome.result(), "out");
  }
  EXPECT_EQ(CommandOutcome(Signal(SIGTERM), 100, "bye", true).message(),
            "ended by signal TERM after it was told to stop: bye");
}

}  // namespace
}  // namespace workpool
