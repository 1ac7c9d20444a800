// The order of a shutdown, and how further signals shorten it.
#include "app/shutdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "app/log_sink.h"
#include "app/watchdog.h"

namespace workpool {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::ElementsAre;

constexpr hours kForever{1};

JobView Lost(JobId id, int attempt = 1) {
  auto job = std::make_shared<Job>();
  job->id = id;
  job->pool = "p";
  job->handler = "h";
  job->caller = "c";
  JobView view;
  view.job = std::move(job);
  view.state = JobState::kActive;
  view.attempt = attempt;
  return view;
}

// Records the steps; says that it is idle in the step that it is told.
class RecordingSteps final : public DaemonSteps {
 public:
  RecordingSteps(SignalInbox& inbox, std::string idle_in)
      : inbox_(inbox), idle_in_(std::move(idle_in)) {}

  void Refuse(bool run_queued, SignalInbox&) override {
    Step(run_queued ? "refuse, run the queue" : "refuse");
  }
  void StopHandlers(std::chrono::nanoseconds kill_grace) override {
    EXPECT_EQ(kill_grace, kShutdownKillGrace);
    Step("stop handlers");
  }
  LostJobs GiveUp(std::size_t show) override {
    EXPECT_EQ(show, 100U);
    Step("give up");
    return {};
  }
  void ClosePorts(SteadyTime deadline) override {
    Step("close ports");
    last_deadline = deadline;
  }
  bool Join(SteadyTime deadline) override {
    Step("join");
    last_deadline = std::max(last_deadline, deadline);
    return joins;
  }

  std::vector<std::string> steps;
  SteadyTime last_deadline{};
  bool joins = true;
  std::string signal_in;  // a request to stop comes in this step

 private:
  void Step(const std::string& name) {
    steps.push_back(name);
    if (name == idle_in_) inbox_.NoteIdle();
    if (name == signal_in) inbox_.Push(SIGTERM);
  }
  SignalInbox& inbox_;
  const std::string idle_in_;
};

class ShutdownTest : public testing::Test {
 protected:
  ShutdownTest() { inbox_.Push(SIGTERM); }
  SignalInbox inbox_;
};

TEST_F(ShutdownTest, StopsNoHandlerWhenAllJobsEndInTime) {
  RecordingSteps steps(inbox_, "refuse, run the queue");
  EXPECT_TRUE(RunShutdown(steps, {kForever, true}, inbox_));
  EXPECT_THAT(steps.steps, ElementsAre("refuse, run the queue", "give up", "close ports", "join"));
}

TEST_F(ShutdownTest, LeavesTheQueueWhenToldSo) {
  RecordingSteps steps(inbox_, "refuse");
  EXPECT_TRUE(RunShutdown(steps, {kForever, false}, inbox_));
  EXPECT_EQ(steps.steps.front(), "refuse");
}

TEST_F(ShutdownTest, StopsHandlersWhenTheGraceIsOver) {
  RecordingSteps steps(inbox_, "stop handlers");
  EXPECT_TRUE(RunShutdown(steps, {milliseconds(1), true}, inbox_));
  EXPECT_THAT(steps.steps, ElementsAre("refuse, run the queue", "stop handlers", "give up",
                                       "close ports", "join"));
}

TEST_F(ShutdownTest, StopsHandlersAtTheSecondSignal) {
  RecordingSteps steps(inbox_, "stop handlers");
  inbox_.Push(SIGINT);
  EXPECT_TRUE(RunShutdown(steps, {kForever, true}, inbox_));
  EXPECT_EQ(steps.steps.at(1), "stop handlers");
}

TEST_F(ShutdownTest, WaitsForNothingAfterTheThirdSignal) {
  RecordingSteps steps(inbox_, "never");
  inbox_.Push(SIGTERM);
  steps.signal_in = "stop handlers";
  const SteadyTime start = steady_clock::now();
  EXPECT_TRUE(RunShutdown(steps, {kForever, true}, inbox_));
  EXPECT_LT(steady_clock::now() - start, kShutdownKillGrace);
  EXPECT_EQ(steps.steps.at(2), "give up");
}

TEST_F(ShutdownTest, ASignalDuringTheWaitEndsIt) {
  RecordingSteps steps(inbox_, "stop handlers");
  std::jthread later([this] { inbox_.Push(SIGTERM); });
  EXPECT_TRUE(RunShutdown(steps, {kForever, true}, inbox_));
}

TEST_F(ShutdownTest, KeepsItsPromiseWhenHandlersIgnoreEverything) {
  RecordingSteps steps(inbox_, "never");
  steps.joins = false;
  const SteadyTime start = steady_clock::now();
  EXPECT_FALSE(RunShutdown(steps, {milliseconds(0), true}, inbox_));
  EXPECT_LE(steps.last_deadline, start + kAfterGrace);
}

TEST_F(ShutdownTest, LateIdlenessIsNoReasonToWait) {
  inbox_.NoteIdle();
  EXPECT_TRUE(inbox_.WaitIdle(steady_clock::now(), 1));
}

TEST(SignalInbox, GathersReloadsAndPrefersStopping) {
  SignalInbox inbox;
  inbox.Push(SIGHUP);
  inbox.Push(SIGHUP);
  EXPECT_EQ(inbox.Next(), SignalInbox::Event::kReload);
  EXPECT_EQ(inbox.Push(SIGTERM), 1);
  EXPECT_EQ(inbox.Push(SIGINT), 2);
  inbox.Push(SIGHUP);
  EXPECT_EQ(inbox.Next(), SignalInbox::Event::kStop);
}

std::vector<std::string> LinesLogged(const LostJobs& lost) {
  std::FILE* file = std::tmpfile();
  {
    const ScopedLog log({LogFormat::kText, LogLevel::kInfo}, file);
    LogLostJobs(lost);
  }
  std::rewind(file);
  std::vector<std::string> lines;
  char line[256];
  while (std::fgets(line, sizeof(line), file) != nullptr) lines.emplace_back(line);
  std::fclose(file);
  return lines;
}

TEST(LostJobs, AreNamedOneByOneAndCounted) {
  EXPECT_THAT(LinesLogged({.count = 200, .first = {Lost(7), Lost(9, 0)}}),
              ElementsAre(testing::EndsWith("job lost in shutdown job=7 pool=p handler=h attempt=1 "
                                            "caller=c state=ACTIVE started=true\n"),
                          testing::ContainsRegex("job=9 .* started=false"),
                          testing::EndsWith("jobs lost in shutdown count=200\n")));
}

TEST(LostJobs, AreNotSpokenOfWhenThereAreNone) { EXPECT_THAT(LinesLogged({}), ElementsAre()); }

TEST(Watchdog, BarksWhenTheDeadlinePasses) {
  SignalInbox barked;
  const Watchdog dog([&] { barked.NoteIdle(); });
  Watchdog hasty([&] { barked.NoteIdle(); });
  hasty.Shorten(steady_clock::now());
  EXPECT_TRUE(barked.WaitIdle(steady_clock::now() + kForever, 1));
}

TEST(Watchdog, IsSilentWhenCalledOff) {
  bool barked = false;
  {
    const Watchdog dog([&] { barked = true; });
  }
  EXPECT_FALSE(barked);
}

}  // namespace
}  // namespace workpool
