#include "handlers/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <memory>

#include "fakes/fake_attempt.h"
#include "fakes/fake_child_runner.h"

namespace workpool {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

ChildExit Code(int code, std::string output = {}) {
  ChildExit exit;
  exit.code = code;
  exit.output = std::move(output);
  return exit;
}

class CommandTest : public testing::Test {
 protected:
  CommandTest() {
    options_.exec = {"convert", "-", "png:-"};
    attempt_->fake_job.payload = "payload";
  }
  void Run() { MakeCommandHandler(options_, runner_)->Run(attempt_); }

  FakeChildRunner runner_;
  CommandOptions options_;
  std::shared_ptr<FakeAttempt> attempt_ = std::make_shared<FakeAttempt>();
};

TEST_F(CommandTest, StartsTheProgramWithThePayload) {
  options_.cwd = "/srv";
  options_.max_result = 123;
  attempt_->fake_job.id = 9;
  Run();
  const ChildSpec& spec = runner_.process().spec;
  EXPECT_THAT(spec.argv, ElementsAre("convert", "-", "png:-"));
  EXPECT_EQ(spec.cwd, "/srv");
  EXPECT_EQ(spec.input, "payload");
  EXPECT_EQ(spec.max_output, 123U);
  EXPECT_THAT(spec.env, testing::Contains(testing::Pair("WORKPOOL_JOB_ID", "9")));
}

TEST_F(CommandTest, ReturnsWhileTheChildRunsAndFinishesWhenItHasEnded) {
  Run();
  EXPECT_FALSE(attempt_->outcome());
  runner_.Exit(Code(0, "result"));
  ASSERT_TRUE(attempt_->outcome());
  EXPECT_TRUE(attempt_->outcome()->success());
  EXPECT_EQ(attempt_->outcome()->result(), "result");
  EXPECT_FALSE(attempt_->outcome()->stopped());
}

TEST_F(CommandTest, FinishesAlsoIfTheChildEndedBeforeItsStartReturned) {
  runner_.next_exit = Code(0, "quick");
  Run();
  ASSERT_TRUE(attempt_->outcome());
  EXPECT_EQ(attempt_->outcome()->result(), "quick");
  EXPECT_EQ(attempt_->finishes(), 1);
}

TEST_F(CommandTest, StderrGoesToTheJobsLogAndItsLastLineToTheMessage) {
  Run();
  runner_.process().spec.on_stderr("first\nsec");
  runner_.process().spec.on_stderr("ond");
  EXPECT_THAT(attempt_->log(), ElementsAre("first\n"));
  runner_.Exit(Code(1));
  EXPECT_THAT(attempt_->log(), ElementsAre("first\n", "second\n"));
  EXPECT_EQ(attempt_->outcome()->message(), "exited with status 1: second");
}

TEST_F(CommandTest, EndlessStderrIsNotHandedOnForEver) {
  Run();
  for (int i = 0; i < 1000; ++i) {
    runner_.process().spec.on_stderr(std::string(1023, 'x') + "\n");
  }
  EXPECT_EQ(attempt_->log().size(), kJobLogBytes / 1024 + 1);
}

TEST_F(CommandTest, FailedStartIsAFailureWithTheReason) {
  runner_.next_error = Error{ErrorCode::kInternal, "cannot start \"convert\": No such file", {}};
  Run();
  ASSERT_TRUE(attempt_->outcome());
  EXPECT_FALSE(attempt_->outcome()->success());
  EXPECT_FALSE(attempt_->outcome()->no_retry());
  EXPECT_EQ(attempt_->outcome()->code(), "START_FAILED");
  EXPECT_EQ(attempt_->outcome()->message(), "cannot start \"convert\": No such file");
}

TEST_F(CommandTest, StopIsPassedOnWithTheGraceAndNeverEndsInSuccess) {
  attempt_->fake_kill_grace = 700ms;
  Run();
  EXPECT_THAT(runner_.process().stops, IsEmpty());
  attempt_->RequestStop();
  EXPECT_THAT(runner_.process().stops, ElementsAre(700ms));
  EXPECT_FALSE(attempt_->outcome()) << "not before the child has ended";
  runner_.Exit(Code(0, "done all the same"));
  EXPECT_FALSE(attempt_->outcome()->success());
  EXPECT_TRUE(attempt_->outcome()->stopped());
}

TEST_F(CommandTest, StopAfterTheEndIsNotPassedOn) {
  Run();
  runner_.Exit(Code(0));
  attempt_->RequestStop();
  EXPECT_THAT(runner_.process().stops, IsEmpty());
  EXPECT_TRUE(attempt_->outcome()->success());
}

TEST_F(CommandTest, StoppedBeforeItsStartNeverStarts) {
  attempt_->RequestStop();
  Run();
  EXPECT_EQ(runner_.started(), 0U);
  ASSERT_TRUE(attempt_->outcome());
  EXPECT_FALSE(attempt_->outcome()->success());
  EXPECT_TRUE(attempt_->outcome()->stopped());
}

TEST_F(CommandTest, ConfiguredStatusMeansDoNotRetry) {
  options_.no_retry_exit = 42;
  Run();
  runner_.Exit(Code(42));
  EXPECT_TRUE(attempt_->outcome()->no_retry());
}

TEST_F(CommandTest, AttemptIsLetGoOnceFinished) {
  Run();
  runner_.Exit(Code(0));
  runner_.process().spec = {};
  EXPECT_EQ(attempt_.use_count(), 1);
}

TEST_F(CommandTest, AttemptIsLetGoIfTheRunnerForgetsTheChild) {
  Run();
  runner_.process().done = nullptr;
  runner_.process().spec = {};
  EXPECT_EQ(attempt_.use_count(), 1);
  EXPECT_FALSE(attempt_->outcome());
}

}  // namespace
}  // namespace workpool
