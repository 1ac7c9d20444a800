#include "handlers/command_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "fakes/fake_attempt.h"

namespace workpool {
namespace {

using testing::Contains;
using testing::Not;
using testing::Pair;

class CommandEnvironmentTest : public testing::Test {
 protected:
  std::map<std::string, std::string> Variables() const {
    std::map<std::string, std::string> variables;
    for (const auto& [name, value] : CommandEnvironment(options_, attempt_)) {
      EXPECT_TRUE(variables.emplace(name, value).second) << name << " is there twice";
    }
    return variables;
  }
  void SetMetadata(Metadata metadata) { attempt_.SetMetadata(std::move(metadata)); }

  CommandOptions options_;
  FakeAttempt attempt_;
};

TEST_F(CommandEnvironmentTest, TellsOfTheJob) {
  Job& job = attempt_.fake_job;
  job.id = 77;
  job.handler = "resize";
  job.pool = "images";
  job.caller = "shop";
  job.content_type = "image/png";
  job.priority = 8;
  job.max_attempts = 4;
  attempt_.fake_attempt = 2;
  attempt_.fake_worker = 6;
  EXPECT_THAT(Variables(),
              testing::UnorderedElementsAre(
                  Pair("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
                  Pair("HOME", "/"), Pair("LANG", "C.UTF-8"), Pair("WORKPOOL_JOB_ID", "77"),
                  Pair("WORKPOOL_HANDLER", "resize"), Pair("WORKPOOL_POOL", "images"),
                  Pair("WORKPOOL_CALLER", "shop"), Pair("WORKPOOL_CONTENT_TYPE", "image/png"),
                  Pair("WORKPOOL_PRIORITY", "8"), Pair("WORKPOOL_MAX_ATTEMPTS", "4"),
                  Pair("WORKPOOL_ATTEMPT", "2"), Pair("WORKPOOL_WORKER", "6")));
}

TEST_F(CommandEnvironmentTest, DeadlineIsAnInstantOfUnixTime) {
  attempt_.fake_deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
  const double hour_from_now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count() +
      3600;
  const std::string text = Variables().at("WORKPOOL_DEADLINE");
  EXPECT_NEAR(std::stod(text), hour_from_now, 60);
  EXPECT_THAT(text, testing::MatchesRegex("[0-9]+\\.[0-9][0-9][0-9]"));
}

TEST_F(CommandEnvironmentTest, IsNotTheDaemons) {
  ::setenv("WORKPOOL_TEST_SECRET", "of the daemon", 1);
  EXPECT_THAT(Variables(), Not(Contains(Pair("WORKPOOL_TEST_SECRET", testing::_))));
}

TEST_F(CommandEnvironmentTest, HandlersOwnReplacesTheMinimalButNotTheJobs) {
  options_.env = {{"PATH", "/opt/bin"},
                  {"WORKPOOL_SERVER", "127.0.0.1:7650"},
                  {"WORKPOOL_JOB_ID", "1"},
                  {"WORKPOOL_META_A", "mine"}};
  attempt_.fake_job.id = 2;
  SetMetadata({{"a", "the job's"}});
  const auto variables = Variables();
  EXPECT_EQ(variables.at("PATH"), "/opt/bin");
  EXPECT_EQ(variables.at("WORKPOOL_SERVER"), "127.0.0.1:7650");
  EXPECT_EQ(variables.at("WORKPOOL_JOB_ID"), "2");
  EXPECT_EQ(variables.at("WORKPOOL_META_A"), "the job's");
}

TEST_F(CommandEnvironmentTest, MetadataBecomesVariables) {
  SetMetadata({{"traceparent", "00-abc-def-01"}, {"user-id", "7"}, {"PATH", "/evil"}});
  const auto variables = Variables();
  EXPECT_EQ(variables.at("TRACEPARENT"), "00-abc-def-01");
  EXPECT_EQ(variables.at("WORKPOOL_META_TRACEPARENT"), "00-abc-def-01");
  EXPECT_EQ(variables.at("WORKPOOL_META_USER_ID"), "7");
  EXPECT_EQ(variables.at("WORKPOOL_META_PATH"), "/evil");
  EXPECT_NE(variables.at("PATH"), "/evil");
}

TEST_F(CommandEnvironmentTest, OfKeysThatShareANameTheFirstStands) {
  SetMetadata({{"a-b", "first"}, {"a.b", "second"}, {"a=b", "third"}});
  EXPECT_EQ(Variables().at("WORKPOOL_META_A_B"), "first");
}

TEST_F(CommandEnvironmentTest, ValuesLoseWhatTheSystemCannotCarry) {
  attempt_.fake_job.caller = std::string_view("a\0b", 3);
  attempt_.fake_job.content_type = "x\xff";
  SetMetadata({{std::string("k\0\xff=\n", 5), std::string("v\0\xfe", 3)}});
  const auto variables = Variables();
  EXPECT_EQ(variables.at("WORKPOOL_CALLER"), "a\uFFFDb");
  EXPECT_EQ(variables.at("WORKPOOL_CONTENT_TYPE"), "x\uFFFD");
  EXPECT_EQ(variables.at("WORKPOOL_META_K____"), "v\uFFFD\uFFFD");
}

}  // namespace
}  // namespace workpool
