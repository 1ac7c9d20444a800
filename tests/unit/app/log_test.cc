// A log line: text for people, JSON for a collector, whatever bytes come in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "app/log_format.h"
#include "app/log_sink.h"

namespace workpool {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

constexpr std::int64_t kSeventeen = 17;

TEST(LogText, ShowsFieldsBehindTheMessage) {
  EXPECT_EQ(FormatLogText("job failed", {{"job", kSeventeen}, {"pool", "default"}, {"share", 0.5}}),
            "job failed job=17 pool=default share=0.5");
}

TEST(LogText, QuotesWhatWouldBeAmbiguous) {
  EXPECT_EQ(FormatLogText("m", {{"a", "x y"}, {"b", ""}, {"c", "k=v"}, {"d", "say \"hi\""}}),
            R"(m a="x y" b="" c="k=v" d="say \"hi\"")");
}

TEST(LogText, StaysOneLineOfValidUtf8) {
  const std::string bytes("a\nb\r\x1b[31m\0\xff", 11);
  EXPECT_EQ(FormatLogText(bytes, {{"f", bytes}}),
            "a\\nb\\u000d\\u001b[31m\xEF\xBF\xBD\xEF\xBF\xBD "
            "f=\"a\\nb\\u000d\\u001b[31m\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

nlohmann::json ParseJson(std::string_view message, LogFields fields) {
  return nlohmann::json::parse("{" + FormatLogJson(message, fields) + "}");
}

TEST(LogJson, CarriesFieldsAsMembers) {
  const auto line = ParseJson("job failed", {{"job", kSeventeen}, {"pool", "p"}, {"share", 0.5}});
  EXPECT_EQ(line["message"], "job failed");
  EXPECT_EQ(line["job"], 17);
  EXPECT_EQ(line["pool"], "p");
  EXPECT_EQ(line["share"], 0.5);
}

TEST(LogJson, WritesYesAndNoAsBooleans) {
  const auto line = ParseJson("job lost", {{"started", true}, {"late", false}});
  EXPECT_EQ(line["started"], true);
  EXPECT_EQ(line["late"], false);
  EXPECT_EQ(FormatLogText("job lost", {{"started", true}}), "job lost started=true");
}

TEST(LogJson, IsValidWhateverTheBytes) {
  const std::string bytes("\"\\/\n\t\x01\x7f\0\xff\xc3\xa4", 11);
  const auto line = ParseJson(bytes, {{"f", bytes}});
  EXPECT_EQ(line["message"], "\"\\/\n\t\x01\x7f\xEF\xBF\xBD\xEF\xBF\xBD\xc3\xa4");
  EXPECT_EQ(line["f"], line["message"]);
}

TEST(LogJson, WritesNumbersThatReadersWouldRoundAsStrings) {
  const auto line = ParseJson("m", {{"small", (std::uint64_t{1} << 53)},
                                    {"big", std::numeric_limits<std::uint64_t>::max()},
                                    {"low", std::numeric_limits<std::int64_t>::min()},
                                    {"none", std::numeric_limits<double>::quiet_NaN()}});
  EXPECT_EQ(line["small"], std::uint64_t{1} << 53);
  EXPECT_EQ(line["big"], "18446744073709551615");
  EXPECT_EQ(line["low"], "-9223372036854775808");
  EXPECT_TRUE(line["none"].is_null());
}

class LogSinkTest : public testing::Test {
 protected:
  ~LogSinkTest() override { std::fclose(file_); }
  std::string Written() {
    std::string text(4096, '\0');
    std::rewind(file_);
    text.resize(std::fread(text.data(), 1, text.size(), file_));
    return text;
  }
  std::FILE* file_ = std::tmpfile();
};

TEST_F(LogSinkTest, WritesTextWithTimeAndLevel) {
  const auto sink = MakeLogSink({LogFormat::kText, LogLevel::kInfo}, file_);
  sink->Write(LogLevel::kWarn, "careful", {{"job", kSeventeen}});
  EXPECT_THAT(Written(), MatchesRegex("[0-9]+-[0-9]+-[0-9]+ [0-9:.]+ warn  careful job=17\n"));
}

TEST_F(LogSinkTest, WritesJsonToWhatIsNoTerminal) {
  const auto sink = MakeLogSink({LogFormat::kAuto, LogLevel::kInfo}, file_);
  sink->Write(LogLevel::kError, "100% {} %v broken", {{"job", kSeventeen}});
  const auto line = nlohmann::json::parse(Written());
  EXPECT_EQ(line["level"], "error");
  EXPECT_EQ(line["message"], "100% {} %v broken");
  EXPECT_EQ(line["job"], 17);
  EXPECT_THAT(std::string(line["time"]), MatchesRegex("[0-9]+-[0-9]+-[0-9]+T[0-9:]+\\.[0-9]+Z"));
}

TEST_F(LogSinkTest, LeavesOutWhatIsBelowItsLevel) {
  const ScopedLog log({LogFormat::kText, LogLevel::kWarn}, file_);
  Log(LogLevel::kInfo, "quiet");
  Log(LogLevel::kWarn, "loud");
  EXPECT_THAT(Written(), testing::AllOf(testing::Not(HasSubstr("quiet")), HasSubstr("loud")));
}

TEST_F(LogSinkTest, IsTheProcesssLogOnlyInItsScope) {
  {
    const ScopedLog log({LogFormat::kText, LogLevel::kDebug}, file_);
  }
  Log(LogLevel::kError, "nobody hears");
  EXPECT_EQ(Written(), "");
}

}  // namespace
}  // namespace workpool
