// Running: outcomes, exceptions, timeouts, cancelling, following.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "base/log.h"
#include "fakes/dispatcher_rig.h"

namespace workpool {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

class DispatcherRunTest : public ::testing::Test {
 protected:
  DispatcherRunTest() {
    DispatcherConfig config;
    config.pools = {MakePoolConfig("default", 2, 20'000)};
    config.handlers = {
        EchoConfig(), MakeHandlerConfig("held", "", held_),
        MakeHandlerConfig("call", "", MakeFunctionHandler([this](const Job& job, JobContext& c) {
                            return call_(job, c);
                          }))};
    config.max_result = 1000;
    rig_.Start(std::move(config));
  }

  // An attempt that is still held would keep its job, and the job its handler.
  void TearDown() override {
    while (const auto attempt = held_->Take()) attempt->Finish(Outcome::Failure("test over"));
  }

  JobView RunCall(HandlerFunction call) {
    call_ = std::move(call);
    const PostProbe post = rig_.Post(MakeWork("call"));
    rig_.RunAll();
    return *rig_.dispatcher->Get(post.id());
  }
  // A job whose handler holds its attempt.
  JobId StartHeld(std::optional<std::chrono::nanoseconds> timeout = std::nullopt) {
    Work work = MakeWork("held");
    work.timeout = timeout;
    const JobId id = rig_.Post(work).id();
    rig_.RunOne();
    return id;
  }
  std::uint64_t CancelOne(JobId id) { return rig_.dispatcher->Cancel(std::array{id}).cancelled; }

  std::shared_ptr<HeldHandler> held_ = std::make_shared<HeldHandler>();
  HandlerFunction call_;
  DispatcherRig rig_;
};

// --- outcomes ------------------------------------------------------------------------------------

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

// --- timeouts ------------------------------------------------------------------------------------

TEST_F(DispatcherRunTest, ATimeoutStopsTheHandlerAndKeepsItsWorker) {
  const JobId id = StartHeld(seconds(60));
  EXPECT_EQ(held_->Front()->deadline(), rig_.clock.Now() + seconds(60));
  rig_.Advance(seconds(59));
  EXPECT_FALSE(held_->Front()->stop_token().stop_requested());
  rig_.Advance(seconds(1));
  EXPECT_TRUE(held_->Front()->stop_token().stop_requested());
  EXPECT_EQ(rig_.State(id), JobState::kActive);
  EXPECT_TRUE(rig_.dispatcher->Get(id)->stopping);
  EXPECT_EQ(rig_.Pool().stats.active, 1u);
  held_->Take()->Finish(Outcome::Failure("stopped half way"));
  const JobView view = *rig_.dispatcher->Get(id);
  EXPECT_EQ(view.state, JobState::kDead);
  EXPECT_EQ(view.failure->code, "TIMEOUT");
  EXPECT_EQ(view.failure->message, "stopped after its timeout of 1m: stopped half way");
  EXPECT_EQ(rig_.observer.ended(AttemptOutcome::kTimeout), 1u);
}

TEST_F(DispatcherRunTest, AResultAfterTheTimeoutCounts) {
  const JobId id = StartHeld(seconds(1));
  rig_.Advance(seconds(2));
  held_->Take()->Finish(Outcome::Success("made it"));
  EXPECT_EQ(rig_.State(id), JobState::kSucceeded);
}

TEST_F(DispatcherRunTest, StepsOfTheWallClockDoNotMatter) {  // case 40
  const JobId id = StartHeld(seconds(60));
  rig_.clock.StepWall(hours(1));
  rig_.Advance(seconds(30));
  rig_.clock.StepWall(-hours(2));
  rig_.Advance(seconds(29));
  EXPECT_FALSE(held_->Front()->stop_token().stop_requested());
  rig_.Advance(seconds(1));
  EXPECT_TRUE(held_->Front()->stop_token().stop_requested());
  held_->Take()->Finish(Outcome::Success());
  EXPECT_EQ(rig_.dispatcher->Get(id)->run_time, seconds(60));
}

TEST_F(DispatcherRunTest, AWorkerIsStuckWhenItsHandlerOutlivesTheKillGrace) {
  StartHeld(seconds(1));
  rig_.Advance(seconds(1));
  rig_.Advance(milliseconds(4999));
  EXPECT_EQ(rig_.Pool().workers_stuck, 0u);
  rig_.Advance(milliseconds(1));
  EXPECT_EQ(rig_.Pool().workers_stuck, 1u);
  held_->Take()->Finish(Outcome::Failure(""));
  EXPECT_EQ(rig_.Pool().workers_stuck, 0u);
}

TEST_F(DispatcherRunTest, NobodyWatchesAHandlerThatEndsWhileItIsToldToStop) {
  const JobId id = StartHeld();
  const auto attempt = held_->Take();
  const std::stop_callback obey(attempt->stop_token(),
                                [&] { attempt->Finish(Outcome::Failure("")); });
  const SteadyTime told = rig_.clock.Now();
  EXPECT_EQ(CancelOne(id), 1u);
  EXPECT_EQ(rig_.State(id), JobState::kCancelled);
  rig_.alarm.Clear();
  rig_.Advance(milliseconds(4900));
  EXPECT_NE(rig_.alarm.next(), told + seconds(5));
}

TEST_F(DispatcherRunTest, RunWorksDeadlineBoundsQueuedAndRunningJobs) {
  PostRequest running;
  running.work = MakeWork("held");
  running.run_deadline = rig_.clock.Now() + seconds(10);
  const WaitProbe running_end = DispatcherRig::NewProbe();
  running.finished = DispatcherRig::Into(running_end);
  rig_.Post(std::move(running));
  rig_.RunOne();
  ASSERT_TRUE(rig_.dispatcher->Pause("default"));
  PostRequest queued;
  queued.work = MakeWork("echo");
  queued.run_deadline = rig_.clock.Now() + seconds(10);
  const WaitProbe queued_end = DispatcherRig::NewProbe();
  queued.finished = DispatcherRig::Into(queued_end);
  rig_.Post(std::move(queued));

  rig_.Advance(milliseconds(9899));
  EXPECT_FALSE(held_->Front()->stop_token().stop_requested());
  rig_.Advance(milliseconds(1));
  EXPECT_TRUE(held_->Front()->stop_token().stop_requested());
  ASSERT_EQ(queued_end->size(), 1u);
  EXPECT_EQ(queued_end->front()->state, JobState::kDead);
  EXPECT_EQ(queued_end->front()->failure->code, "TIMEOUT");
  EXPECT_EQ(queued_end->front()->attempt, 0);
  held_->Take()->Finish(Outcome::Failure(""));
  EXPECT_EQ(running_end->front()->failure->code, "TIMEOUT");
  EXPECT_EQ(running_end->front()->failure->message, "stopped at its caller's deadline");
  EXPECT_EQ(rig_.Pool().stats.queued, 0u);
}

// --- cancelling ----------------------------------------------------------------------------------

TEST_F(DispatcherRunTest, CancellingAQueuedJobFreesItsPlaceAtOnce) {
  rig_.dispatcher->Pause("default");
  const PostProbe post = rig_.Post(MakeWork("echo"));
  const WaitProbe wait = rig_.Wait(post.id());
  EXPECT_EQ(CancelOne(post.id()), 1u);
  EXPECT_EQ(rig_.Pool().stats.queued, 0u);
  ASSERT_EQ(wait->size(), 1u);
  EXPECT_EQ(wait->front()->state, JobState::kCancelled);
  EXPECT_EQ(wait->front()->attempt, 0);
  EXPECT_EQ(CancelOne(post.id()), 0u);
}

TEST_F(DispatcherRunTest, CancellingARunningJobStopsItsHandler) {
  const JobId id = StartHeld();
  EXPECT_EQ(CancelOne(id), 1u);
  EXPECT_EQ(CancelOne(id), 0u);
  EXPECT_TRUE(held_->Front()->stop_token().stop_requested());
  EXPECT_EQ(rig_.State(id), JobState::kActive);
  held_->Take()->Finish(Outcome::Success().Stopped());
  EXPECT_EQ(rig_.State(id), JobState::kCancelled);
  EXPECT_EQ(rig_.observer.ended(AttemptOutcome::kCancelled), 1u);
}

TEST_F(DispatcherRunTest, ACancelOutranksATimeout) {
  const JobId id = StartHeld(seconds(1));
  rig_.Advance(seconds(1));
  EXPECT_EQ(CancelOne(id), 1u);
  held_->Take()->Finish(Outcome::Failure(""));
  EXPECT_EQ(rig_.State(id), JobState::kCancelled);
}

TEST_F(DispatcherRunTest, CancelNamesTheIdsThatItDoesNotKnow) {
  const JobId done = rig_.Post(MakeWork("echo")).id();
  rig_.RunAll();
  const auto report = rig_.dispatcher->Cancel(std::array<JobId, 3>{done, 77, 0});
  EXPECT_EQ(report.cancelled, 0u);
  EXPECT_EQ(report.not_found, (std::vector<JobId>{77, 0}));
}

TEST_F(DispatcherRunTest, CancelsAllThatMatchesAndCountsThem) {  // case 31
  StartHeld();
  rig_.dispatcher->Pause("default");
  for (int i = 0; i < 1000; ++i) rig_.Post(MakeWork(i % 2 == 0 ? "echo" : "held"));
  JobFilter filter;
  filter.handler = "held";
  filter.states = {JobState::kQueued};
  EXPECT_EQ(rig_.dispatcher->CancelMatching(filter).cancelled, 500u);
  EXPECT_FALSE(held_->Front()->stop_token().stop_requested());
  EXPECT_EQ(rig_.dispatcher->CancelMatching({}).cancelled, 501u);
  EXPECT_TRUE(held_->Front()->stop_token().stop_requested());
  EXPECT_EQ(rig_.Pool().stats.queued, 0u);
  EXPECT_EQ(rig_.observer.in_state(JobState::kCancelled), 1000u);
}

// --- following -----------------------------------------------------------------------------------

TEST_F(DispatcherRunTest, UnknownAndForgottenIdsAreToldApart) {
  DispatcherConfig config;
  config.pools = {MakePoolConfig("default", 1, 5)};
  config.pools.front().keep.finished.jobs = 0;
  config.handlers = {EchoConfig()};
  DispatcherRig rig(config);
  PostRequest request;
  request.work = MakeWork("echo", "kept for its poster");
  const WaitProbe end = DispatcherRig::NewProbe();
  request.finished = DispatcherRig::Into(end);
  const JobId id = rig.Post(std::move(request)).id();
  rig.RunAll();
  ASSERT_EQ(end->size(), 1u);
  EXPECT_EQ(end->front()->result, "kept for its poster");
  EXPECT_EQ(rig.dispatcher->Get(id).error().code, ErrorCode::kJobForgotten);
  EXPECT_EQ(rig.dispatcher->Get(id + 1).error().code, ErrorCode::kUnknownJob);
  EXPECT_EQ(rig.dispatcher->Get(0).error().code, ErrorCode::kUnknownJob);
  EXPECT_EQ(rig.Wait(id)->front().error().code, ErrorCode::kJobForgotten);
}

TEST_F(DispatcherRunTest, AWaitMayBeTakenBack) {
  const JobId id = StartHeld();
  const WaitProbe dropped = DispatcherRig::NewProbe();
  const Ticket ticket = rig_.dispatcher->Wait(id, DispatcherRig::Into(dropped));
  const WaitProbe kept = rig_.Wait(id);
  rig_.dispatcher->CancelWait(ticket);
  rig_.dispatcher->CancelWait(ticket);
  EXPECT_EQ(dropped.use_count(), 1);
  held_->Take()->Finish(Outcome::Success());
  EXPECT_TRUE(dropped->empty());
  EXPECT_EQ(kept->size(), 1u);
  EXPECT_EQ(rig_.Wait(id)->front()->state, JobState::kSucceeded);
}

TEST_F(DispatcherRunTest, APurgeEndsWaitsAtOnce) {  // case 59
  const JobId active = StartHeld();
  rig_.dispatcher->Pause("default");
  const JobId queued = rig_.Post(MakeWork("echo")).id();
  const WaitProbe wait = rig_.Wait(queued);
  EXPECT_EQ(*rig_.dispatcher->Purge("default"), 1u);
  ASSERT_EQ(wait->size(), 1u);
  EXPECT_EQ(wait->front().error().code, ErrorCode::kJobForgotten);
  EXPECT_EQ(rig_.dispatcher->Get(queued).error().code, ErrorCode::kJobForgotten);
  EXPECT_EQ(rig_.State(active), JobState::kActive);
  EXPECT_EQ(rig_.Pool().deleted, 1u);
  EXPECT_EQ(rig_.Pool().stats.queued, 0u);
}

TEST_F(DispatcherRunTest, ListsNewestFirstInPages) {
  const JobId held = StartHeld();
  for (int i = 0; i < 5; ++i) rig_.Post(MakeWork("echo", "payload"));
  rig_.RunAll();
  rig_.dispatcher->Pause("default");
  for (int i = 0; i < 4; ++i) rig_.Post(MakeWork("echo"));
  std::vector<JobId> seen;
  JobId before = 0;
  int pages = 0;
  do {
    const JobPage page = rig_.dispatcher->List({}, before, 3);
    for (const JobView& view : page.jobs) {
      seen.push_back(view.job->id);
      EXPECT_TRUE(view.result.empty());
    }
    before = page.next_before;
    ++pages;
  } while (before != 0);
  EXPECT_EQ(seen, (std::vector<JobId>{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(pages, 4);
  JobFilter active;
  active.states = {JobState::kActive};
  const JobPage page = rig_.dispatcher->List(active, 0, 10);
  ASSERT_EQ(page.jobs.size(), 1u);
  EXPECT_EQ(page.jobs.front().job->id, held);
  EXPECT_EQ(page.next_before, 0u);
}

TEST_F(DispatcherRunTest, FinishedJobsCountNowhereElse) {  // case 25
  for (int i = 0; i < 20'000; ++i) {
    rig_.Post(MakeWork("echo"));
    rig_.RunAll();
  }
  EXPECT_EQ(rig_.Pool().stats.queued, 0u);
  EXPECT_EQ(rig_.Pool().stats.active, 0u);
  EXPECT_EQ(rig_.Pool().finished, 20'000u);
  EXPECT_EQ(rig_.dispatcher->Get(1)->state, JobState::kSucceeded);
}

TEST_F(DispatcherRunTest, OldRecordsGoWithTime) {
  const JobId id = rig_.Post(MakeWork("echo")).id();
  rig_.RunAll();
  rig_.Advance(std::chrono::minutes(14));
  EXPECT_TRUE(rig_.dispatcher->Get(id));
  for (int i = 0; i < 3; ++i) rig_.Advance(seconds(30));
  EXPECT_EQ(rig_.dispatcher->Get(id).error().code, ErrorCode::kJobForgotten);
}

}  // namespace
}  // namespace workpool
