#include "handlers/builtin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fakes/fake_attempt.h"
#include "fakes/manual_alarm.h"
#include "fakes/manual_clock.h"

namespace workpool {
namespace {

class BuiltinTest : public ::testing::Test {
 protected:
  std::shared_ptr<Handler> Find(const std::string& name) {
    for (const HandlerConfig& config : BuiltinHandlers(sleeper_)) {
      if (config.name == name) return config.handler;
    }
    return nullptr;
  }
  std::shared_ptr<FakeAttempt> Begin(const std::string& name, std::string payload) {
    auto attempt = std::make_shared<FakeAttempt>();
    attempt->fake_job.payload = attempt->Keep(std::move(payload));
    Find(name)->Run(attempt);
    return attempt;
  }
  // Of a handler that ends at once.
  Outcome RunBuiltin(const std::string& name, std::string payload) {
    return Begin(name, std::move(payload))->outcome().value();
  }

  ManualClock clock_;
  ManualAlarm alarm_;
  Sleeper sleeper_{clock_, alarm_};
};

TEST_F(BuiltinTest, AreFourThatRunInAnyPool) {
  std::vector<std::string> names;
  for (const HandlerConfig& config : BuiltinHandlers(sleeper_)) {
    names.push_back(config.name);
    EXPECT_EQ(config.kind, HandlerKind::kBuiltin);
    EXPECT_EQ(config.pool, "");
    ASSERT_NE(config.handler, nullptr);
    EXPECT_TRUE(config.handler->brief());
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("echo", "sleep", "fail", "noop"));
  EXPECT_THAT(names, testing::UnorderedElementsAreArray(kBuiltinNames));
}

TEST_F(BuiltinTest, EchoAnswersItsPayload) {
  const std::string bytes("a\0b\xff", 4);
  const Outcome outcome = RunBuiltin("echo", bytes);
  EXPECT_TRUE(outcome.success());
  EXPECT_EQ(outcome.result(), bytes);
}

TEST_F(BuiltinTest, FailFailsWithItsPayload) {
  const Outcome outcome = RunBuiltin("fail", "no luck");
  EXPECT_FALSE(outcome.success());
  EXPECT_FALSE(outcome.no_retry());
  EXPECT_EQ(outcome.code(), "FAILED");
  EXPECT_EQ(outcome.message(), "no luck");
}

TEST_F(BuiltinTest, NoopDoesNothing) {
  const Outcome outcome = RunBuiltin("noop", "anything");
  EXPECT_TRUE(outcome.success());
  EXPECT_EQ(outcome.result(), "");
}

TEST_F(BuiltinTest, SleepTakesItsTime) {
  const auto attempt = Begin("sleep", "10ms\n");
  clock_.Advance(std::chrono::milliseconds(9));
  sleeper_.Tick();
  EXPECT_FALSE(attempt->outcome());
  clock_.Advance(std::chrono::milliseconds(1));
  sleeper_.Tick();
  EXPECT_TRUE(attempt->outcome().value().success());
}

TEST_F(BuiltinTest, SleepRefusesWhatIsNoDurationForGood) {
  for (const char* payload : {"", "soon", "10", "-1s", "9999d", "10ms\n\n"}) {
    const Outcome outcome = RunBuiltin("sleep", payload);
    EXPECT_FALSE(outcome.success()) << payload;
    EXPECT_TRUE(outcome.no_retry()) << payload;
    EXPECT_EQ(outcome.code(), "BAD_PAYLOAD");
    EXPECT_THAT(outcome.message(), testing::HasSubstr("payload"));
    EXPECT_THAT(outcome.message(), testing::HasSubstr("duration"));
  }
}

TEST_F(BuiltinTest, SleepEndsWhenToldToStop) {
  const auto attempt = Begin("sleep", "3650d");
  attempt->RequestStop();
  const Outcome outcome = attempt->outcome().value();
  EXPECT_FALSE(outcome.success());
  EXPECT_EQ(outcome.code(), "STOPPED");
  EXPECT_EQ(outcome.message(), "");  // why it was stopped is said by who told it to
}

}  // namespace
}  // namespace workpool
