// Command handlers with real processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "fakes/fake_attempt.h"
#include "handlers/command.h"
#include "runtime/event_loop.h"

namespace workpool {
namespace {

using namespace std::chrono_literals;

class CommandProcessTest : public testing::Test {
 protected:
  CommandProcessTest() { loop_.Start(); }

  std::shared_ptr<FakeAttempt> Start(std::string script, std::string payload = {}) {
    CommandOptions options;
    options.exec = {"sh", "-c", std::move(script)};
    options.max_result = 1000;
    auto attempt = std::make_shared<FakeAttempt>();
    attempt->fake_job.payload = attempt->Keep(std::move(payload));
    MakeCommandHandler(std::move(options), loop_.children())->Run(attempt);
    return attempt;
  }
  Outcome RunScript(std::string script, std::string payload = {}) {
    return Start(std::move(script), std::move(payload))->WaitForOutcome().value();
  }

  EventLoop loop_;
};

bool IsRunning(pid_t pid) {
  std::ostringstream stat;
  stat << std::ifstream("/proc/" + std::to_string(pid) + "/stat").rdbuf();
  return stat.str().find(")") != std::string::npos && stat.str().find(") Z") == std::string::npos;
}

TEST_F(CommandProcessTest, PayloadInResultOut) {
  const Outcome outcome = RunScript("tr a-z A-Z", "hello");
  EXPECT_TRUE(outcome.success());
  EXPECT_EQ(outcome.result(), "HELLO");
}

TEST_F(CommandProcessTest, Case9NoOutput) {
  const Outcome outcome = RunScript("exit 0");
  EXPECT_TRUE(outcome.success());
  EXPECT_EQ(outcome.result(), "");
}

TEST_F(CommandProcessTest, Case48ResultIsCutAndFlagged) {
  const Outcome outcome = RunScript("head -c 10000000 /dev/zero; head -c 10000000 /dev/zero >&2",
                                    std::string(3 << 20, 'x'));
  EXPECT_TRUE(outcome.success());
  EXPECT_EQ(outcome.result().size(), 1000U);
  EXPECT_TRUE(outcome.truncated());
}

TEST_F(CommandProcessTest, FailureTellsStatusAndLastLine) {
  const auto attempt = Start("echo working >&2; echo 'disk is full' >&2; exit 3");
  const Outcome outcome = attempt->WaitForOutcome().value();
  EXPECT_EQ(outcome.code(), "EXIT_3");
  EXPECT_EQ(outcome.message(), "exited with status 3: disk is full");
  EXPECT_THAT(attempt->log(), testing::ElementsAre("working\n", "disk is full\n"));
}

TEST_F(CommandProcessTest, DeathByASignalIsNamed) {
  EXPECT_EQ(RunScript("kill -SEGV $$").code(), "SIGNAL_SEGV");
}

TEST_F(CommandProcessTest, StatusOf100IsForGood) { EXPECT_TRUE(RunScript("exit 100").no_retry()); }

TEST_F(CommandProcessTest, Case49MissingProgram) {
  CommandOptions options;
  options.exec = {"no-such-program"};
  auto attempt = std::make_shared<FakeAttempt>();
  MakeCommandHandler(std::move(options), loop_.children())->Run(attempt);
  const Outcome outcome = attempt->WaitForOutcome().value();
  EXPECT_EQ(outcome.code(), "START_FAILED");
  EXPECT_THAT(outcome.message(), testing::HasSubstr("No such file or directory"));
}

TEST_F(CommandProcessTest, Case17StoppedCommandIsDeadWithItsChildrenWhenTheAttemptEnds) {
  const auto attempt = Start("trap '' TERM; sleep 1000 & echo $! >&2; while :; do wait; done");
  attempt->fake_kill_grace = 10ms;
  attempt->WaitForLog();
  attempt->RequestStop();
  const Outcome outcome = attempt->WaitForOutcome().value();
  EXPECT_TRUE(outcome.stopped());
  EXPECT_EQ(outcome.code(), "SIGNAL_KILL");
  ASSERT_EQ(attempt->log().size(), 1U);
  EXPECT_FALSE(IsRunning(std::stoi(attempt->log()[0])));
}

TEST_F(CommandProcessTest, StoppedCommandThatExitsWithZeroIsNoSuccess) {
  const auto attempt = Start("sleep 1000 & trap 'exit 0' TERM; echo ready >&2; wait");
  attempt->WaitForLog();
  attempt->RequestStop();
  const Outcome outcome = attempt->WaitForOutcome().value();
  EXPECT_FALSE(outcome.success());
  EXPECT_TRUE(outcome.stopped());
  EXPECT_EQ(outcome.code(), "EXIT_0");
}

TEST_F(CommandProcessTest, StopsFromOtherThreadsRaceWithEndsAndStarts) {
  for (int i = 0; i < 30; ++i) {
    const auto attempt = std::make_shared<FakeAttempt>();
    std::jthread stopper([&] { attempt->RequestStop(); });
    CommandOptions options;
    options.exec = {"true"};
    MakeCommandHandler(std::move(options), loop_.children())->Run(attempt);
    ASSERT_TRUE(attempt->WaitForOutcome());
    EXPECT_EQ(attempt->finishes(), 1);
  }
}

TEST_F(CommandProcessTest, JobsDataReachesTheProgramAsItIs) {
  CommandOptions options;
  options.exec = {"sh", "-c", "printf '%s|%s' \"$WORKPOOL_CALLER\" \"$WORKPOOL_META_A_B\""};
  options.max_result = 1000;
  auto attempt = std::make_shared<FakeAttempt>();
  attempt->fake_job.caller = std::string_view("x\0$(reboot)\xff\n'", 14);
  attempt->SetMetadata({{"a=b", "`c` \"d\"\nPATH=/evil"}});
  MakeCommandHandler(std::move(options), loop_.children())->Run(attempt);
  EXPECT_EQ(attempt->WaitForOutcome()->result(), "x\uFFFD$(reboot)\uFFFD\n'|`c` \"d\"\nPATH=/evil");
}

}  // namespace
}  // namespace workpool
