#include "handlers/builtin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "fakes/fake_attempt.h"

namespace workpool {
namespace {

std::shared_ptr<Handler> Find(const std::string& name) {
  for (const HandlerConfig& config : BuiltinHandlers()) {
    if (config.name == name) return config.handler;
  }
  return nullptr;
}

std::shared_ptr<FakeAttempt> WithPayload(std::string payload) {
  auto attempt = std::make_shared<FakeAttempt>();
  attempt->fake_job.payload = std::move(payload);
  return attempt;
}

Outcome RunBuiltin(const std::string& name, std::string payload) {
  const auto attempt = WithPayload(std::move(payload));
  Find(name)->Run(attempt);
  return attempt->WaitForOutcome().value();
}

TEST(BuiltinTest, AreFourThatRunInAnyPool) {
  std::vector<std::string> names;
  for (const HandlerConfig& config : BuiltinHandlers()) {
    names.push_back(config.name);
    EXPECT_EQ(config.kind, HandlerKind::kBuiltin);
    EXPECT_EQ(config.pool, "");
    EXPECT_NE(config.handler, nullptr);
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("echo", "sleep", "fail", "noop"));
}

TEST(BuiltinTest, EchoAnswersItsPayload) {
  const std::string bytes("a\0b\xff", 4);
  const Outcome outcome = RunBuiltin("echo", bytes);
  EXPECT_TRUE(outcome.success());
  EXPECT_EQ(outcome.result(), bytes);
}

TEST(BuiltinTest, FailFailsWithItsPayload) {
  const Outcome outcome = RunBuiltin("fail", "no luck");
  EXPECT_FALSE(outcome.success());
  EXPECT_FALSE(outcome.no_retry());
  EXPECT_EQ(outcome.code(), "FAILED");
  EXPECT_EQ(outcome.message(), "no luck");
}

TEST(BuiltinTest, NoopDoesNothing) {
  const Outcome outcome = RunBuiltin("noop", "anything");
  EXPECT_TRUE(outcome.success());
  EXPECT_EQ(outcome.result(), "");
}

TEST(BuiltinTest, SleepTakesItsTime) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(RunBuiltin("sleep", "10ms\n").success());
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(10));
}

TEST(BuiltinTest, SleepRefusesWhatIsNoDurationForGood) {
  for (const char* payload : {"", "soon", "10", "-1s", "9999d", "10ms\n\n"}) {
    const Outcome outcome = RunBuiltin("sleep", payload);
    EXPECT_FALSE(outcome.success()) << payload;
    EXPECT_TRUE(outcome.no_retry()) << payload;
    EXPECT_EQ(outcome.code(), "BAD_PAYLOAD");
    EXPECT_THAT(outcome.message(), testing::HasSubstr("payload"));
    EXPECT_THAT(outcome.message(), testing::HasSubstr("duration"));
  }
}

TEST(BuiltinTest, SleepEndsWhenToldToStop) {
  const auto attempt = WithPayload("3650d");
  std::jthread worker([&] { Find("sleep")->Run(attempt); });
  attempt->RequestStop();
  const Outcome outcome = attempt->WaitForOutcome().value();
  EXPECT_FALSE(outcome.success());
  EXPECT_EQ(outcome.code(), "STOPPED");
  EXPECT_EQ(outcome.message(), "");  // why it was stopped is said by who told it to
}

}  // namespace
}  // namespace workpool
