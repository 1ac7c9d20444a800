#include "bulk_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workpool::cli {
namespace {

using ::testing::HasSubstr;

client::Work Defaults() {
  client::Work work;
  work.handler = "echo";
  work.pool = "default";
  work.priority = 3;
  return work;
}

std::string RuleOf(std::string_view line) {
  const auto work = ParseBulkLine(line, Defaults());
  return work ? "" : work.error();
}

TEST(BulkLineTest, TakesEveryKey) {
  const auto work = ParseBulkLine(
      R"({"payload": "hi", "pool": "p", "priority": 9, "weight": 4, "timeout": "250ms", "caller": "me",
          "content_type": "text/plain", "metadata": {"a": "b"}, "when_full": "wait",
          "wait_timeout": "2s"})",
      Defaults());
  ASSERT_TRUE(work) << work.error();
  EXPECT_EQ(work->handler, "echo");
  EXPECT_EQ(work->payload, "hi");
  EXPECT_EQ(work->pool, "p");
  EXPECT_EQ(work->priority, 9U);
  EXPECT_EQ(work->weight, 4U);
  EXPECT_EQ(work->timeout, std::chrono::milliseconds(250));
  EXPECT_EQ(work->caller, "me");
  EXPECT_EQ(work->content_type, "text/plain");
  EXPECT_EQ(work->metadata.at("a"), "b");
  EXPECT_EQ(work->when_full, client::WhenFull::kWait);
  EXPECT_EQ(work->wait_timeout, std::chrono::seconds(2));
}

TEST(BulkLineTest, WhatIsNotSaidIsAsInTheDefaults) {
  const auto work = ParseBulkLine("{}", Defaults());
  ASSERT_TRUE(work);
  EXPECT_EQ(work->pool, "default");
  EXPECT_EQ(work->priority, 3U);
  EXPECT_EQ(work->payload, "");
}

TEST(BulkLineTest, TakesPayloadsInThreeForms) {
  EXPECT_EQ(ParseBulkLine(R"({"payload": "a\u0000b"})", Defaults())->payload,
            std::string("a\0b", 3));
  EXPECT_EQ(ParseBulkLine(R"({"payload_base64": "//79"})", Defaults())->payload, "\xff\xfe\xfd");
  EXPECT_EQ(ParseBulkLine(R"({"payload_json": {"n": [1, null, "x"]}})", Defaults())->payload,
            R"({"n":[1,null,"x"]})");
}

TEST(BulkLineTest, NamesTheRuleThatIsBroken) {
  EXPECT_THAT(RuleOf("nonsense"), HasSubstr("not valid JSON at column"));
  EXPECT_THAT(RuleOf("[1]"), HasSubstr("must be a JSON object"));
  EXPECT_THAT(RuleOf(R"({"payload_json": 1e999})"), HasSubstr("out of range"));
  EXPECT_THAT(RuleOf("{} {}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(RuleOf("{\"payload\": \"\xff\"}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(RuleOf(R"({"payload": 1})"), HasSubstr("\"payload\" must be a string"));
  EXPECT_THAT(RuleOf(R"({"payload_base64": "Zg"})"), HasSubstr("base64"));
  EXPECT_THAT(RuleOf(R"({"payload": "", "payload_json": 1})"), HasSubstr("only one of"));
  EXPECT_THAT(RuleOf(R"({"pool": "../x"})"), HasSubstr("pool"));
  EXPECT_THAT(RuleOf(R"({"timeout": 5})"), HasSubstr("\"timeout\" must be a string"));
  EXPECT_THAT(RuleOf(R"({"timeout": "5 apples"})"), HasSubstr("timeout"));
  EXPECT_THAT(RuleOf(R"({"when_full": "maybe"})"), HasSubstr("\"reject\" or \"wait\""));
  EXPECT_THAT(RuleOf(R"({"metadata": {"a": 1}})"), HasSubstr("an object of strings"));
  EXPECT_THAT(RuleOf(R"({"metadata": []})"), HasSubstr("an object of strings"));
  EXPECT_THAT(RuleOf(R"({"handler": "x"})"), HasSubstr("unknown key \"handler\""));
  EXPECT_THAT(RuleOf(R"({"prioritty": 1})"), HasSubstr("did you mean \"priority\"?"));
  EXPECT_THAT(RuleOf(R"({"payload": "a", "payload": "b"})"), HasSubstr("stands twice"));
}

TEST(BulkLineTest, AWaitTimeoutDoesNotGoWithWhenFullReject) {
  EXPECT_EQ(RuleOf(R"({"wait_timeout": "2s", "when_full": "reject"})"),
            R"("wait_timeout" does not go with "when_full": "reject" or --when-full reject)");
  EXPECT_TRUE(ParseBulkLine(R"({"wait_timeout": "2s"})", Defaults()));
  client::Work waits = Defaults();
  waits.wait_timeout = std::chrono::seconds(1);
  EXPECT_TRUE(ParseBulkLine(R"({"when_full": "reject"})", waits));
}

TEST(BulkLineTest, RefusesPrioritiesThatAreNone) {
  for (const char* value :
       {"10", "-1", "5.0", "\"5\"", "null", "true", "1e0", "99999999999999999999"}) {
    EXPECT_THAT(RuleOf(std::string(R"({"priority": )") + value + "}"), HasSubstr("from 0 to 9"))
        << value;
  }
}

TEST(BulkLineTest, RefusesWeightsThatAreNone) {
  for (const char* value : {"0", "-1", "1.0", "\"2\"", "null", "100001", "4294967297"}) {
    EXPECT_THAT(RuleOf(std::string(R"({"weight": )") + value + "}"), HasSubstr("from 1 to 100000"))
        << value;
  }
}

TEST(BulkLineTest, SurvivesBracketsWithoutEnd) {
  const std::string open(1'000'000, '[');
  EXPECT_NE(RuleOf("{\"payload_json\": " + open), "");
  const std::string deep(100'000, '[');
  const std::string close(100'000, ']');
  EXPECT_THAT(RuleOf("{\"payload_json\": " + deep + close + "}"), HasSubstr("nested deeper"));
}

}  // namespace
}  // namespace workpool::cli
