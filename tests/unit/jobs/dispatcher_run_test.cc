// How an attempt ends: outcomes, exceptions, what a running job shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/log.h"
#include "unit/jobs/dispatcher_run_fixture.h"

namespace workpool {
namespace {

using std::chrono::seconds;

class DispatcherRunTest : public DispatcherRunFixture {};

TEST_F(DispatcherRunTest, ExceptionsOfEveryTypeAreFailures) {  // case 43
  const auto message = [this](HandlerFunction call) {
    const JobView view = RunCall(std::move(call));
    EXPECT_EQ(view.state, JobState::kDead);
    EXPECT_EQ(view.failure->code, "FAILED");
    return view.failure->message;
  };
  EXPECT_EQ(message([](const Job&, JobContext&) -> Outcome { throw std::runtime_error("boom"); }),
            "boom");
  EXPECT_EQ(message([](const Job&, JobContext&) -> Outcome { throw std::string("text"); }), "text");
  EXPECT_EQ(message([](const Job&, JobContext&) -> Outcome { throw "literal"; }), "literal");
  EXPECT_NE(message([](const Job&, JobContext&) -> Outcome { throw 42; }), "");
  std::string huge(10'000'000, '\xff');
  huge[5] = '\0';
  const std::string cut =
      message([&huge](const Job&, JobContext&) -> Outcome { throw std::runtime_error(huge); });
  EXPECT_LE(cut.size(), kErrorMessageBytes);
  EXPECT_EQ(rig_.Pool().stats.active, 0u);
  EXPECT_EQ(rig_.observer.ended(AttemptOutcome::kFailed), 5u);
}

TEST_F(DispatcherRunTest, ADeadJobsReasonIsLoggedInFull) {
  struct Sink : LogSink {
    bool Enabled(LogLevel) const override { return true; }
    void Write(LogLevel, std::string_view message, std::initializer_list<LogField>) override {
      lines.emplace_back(message);
    }
    std::vector<std::string> lines;
  } sink;
  LogSink* const before = SetLogSink(&sink);
  RunCall(
      [](const Job&, JobContext&) { return Outcome::Failure(std::string(900, 'x') + "\xff."); });
  RunCall(
      [](const Job&, JobContext&) { return Outcome::Failure(std::string(999, 'x') + "\u00e9"); });
  SetLogSink(before);
  EXPECT_THAT(sink.lines, ::testing::ElementsAre(
                              "the job is dead: FAILED: " + std::string(900, 'x') + "\xef\xbf\xbd.",
                              "the job is dead: FAILED: " + std::string(999, 'x')));
}

TEST_F(DispatcherRunTest, AResultOneByteOverTheLimitIsDead) {  // case 44
  EXPECT_EQ(
      RunCall([](const Job&, JobContext&) -> Outcome { return std::string(1000, 'r'); }).state,
      JobState::kSucceeded);
  const JobView view =
      RunCall([](const Job&, JobContext&) -> Outcome { return std::string(1001, 'r'); });
  EXPECT_EQ(view.state, JobState::kDead);
  EXPECT_EQ(view.failure->code, "RESULT_TOO_LARGE");
}

TEST_F(DispatcherRunTest, AnAttemptMayEndElsewhereAndOnlyOnce) {
  const JobId id = StartHeld();
  EXPECT_EQ(rig_.State(id), JobState::kActive);
  EXPECT_EQ(rig_.Pool().stats.active, 1u);
  const auto attempt = held_->Take();
  std::thread([&] { attempt->Finish(Outcome::Success("late")); }).join();
  attempt->Finish(Outcome::Failure("second"));
  EXPECT_EQ(rig_.dispatcher->Get(id)->result, "late");
  EXPECT_EQ(rig_.Pool().stats.active, 0u);
  EXPECT_EQ(rig_.Pool().finished, 1u);
}

TEST_F(DispatcherRunTest, AnAttemptThatIsDroppedHasFailed) {
  const JobId id = StartHeld();
  held_->Take().reset();
  EXPECT_EQ(rig_.State(id), JobState::kDead);
  EXPECT_EQ(rig_.dispatcher->Get(id)->failure->code, "ABANDONED");
}

TEST_F(DispatcherRunTest, ARunningJobShowsProgressAndLog) {
  const JobId id = StartHeld();
  held_->Front()->ReportProgress(0.25, "a quarter");
  held_->Front()->AppendLog("line one\n");
  rig_.clock.Advance(seconds(3));
  const JobView view = *rig_.dispatcher->Get(id);
  EXPECT_EQ(view.progress, 0.25);
  EXPECT_EQ(view.progress_note, "a quarter");
  EXPECT_EQ(view.log, "line one\n");
  EXPECT_EQ(view.run_time, seconds(3));
  held_->Take()->Finish(Outcome::Success());
  EXPECT_EQ(rig_.dispatcher->Get(id)->log, "line one\n");
  EXPECT_EQ(rig_.dispatcher->Get(id)->progress, 0.25);
}

TEST_F(DispatcherRunTest, AHandOffPoolIsFreeWhenTheOutcomeIsTold) {
  ASSERT_TRUE(rig_.dispatcher->Resize("default", {.workers = 1, .capacity = 0, .hold_for = {}}));
  std::optional<PostProbe> next;
  PostRequest request;
  request.work = MakeWork("echo");
  request.finished = [&](Result<JobView>) { next = rig_.Post(MakeWork("echo")); };
  rig_.Post(std::move(request));
  rig_.RunOne();
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->accepted());
}

}  // namespace
}  // namespace workpool
