#include "show.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace workpool::cli {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;

client::Job SucceededWith(std::string result) {
  client::Job job;
  job.id = 9'223'372'036'854'775'807U;
  job.state = client::JobState::kSucceeded;
  job.result = std::move(result);
  return job;
}

TEST(ShowTest, RoundsDurations) {
  EXPECT_EQ(DurationText(std::nullopt), "-");
  EXPECT_EQ(DurationText(nanoseconds(0)), "0s");
  EXPECT_EQ(DurationText(nanoseconds(5)), "<1us");
  EXPECT_EQ(DurationText(microseconds(340)), "340us");
  EXPECT_EQ(DurationText(milliseconds(1250)), "1.25s");
  EXPECT_EQ(DurationText(seconds(90)), "1.5m");
  EXPECT_EQ(DurationText(std::chrono::hours(48)), "2d");
}

TEST(ShowTest, WritesInstantsInUtc) {
  const client::WallTime at{seconds(1'700'000'000) + microseconds(5)};
  EXPECT_EQ(InstantText(at), "2023-11-14T22:13:20.000005Z");
}

TEST(ShowTest, IdsAreStrings) {
  EXPECT_EQ(JsonOf(SucceededWith("x"))["id"], "9223372036854775807");
}

TEST(ShowTest, TextIsAStringAndOtherBytesAreBase64) {
  const auto text = JsonOf(SucceededWith("grüße\n"));
  EXPECT_EQ(text["result"], "grüße\n");
  EXPECT_FALSE(text.contains("result_base64"));
  for (const std::string& bytes : {std::string("\xff\xfe"), std::string("a\0b", 3)}) {
    const auto binary = JsonOf(SucceededWith(bytes));
    EXPECT_FALSE(binary.contains("result"));
    EXPECT_TRUE(binary.contains("result_base64"));
  }
}

TEST(ShowTest, ShowsWhatIsConfiguredWhereItDiffers) {
  client::Pool pool;
  pool.name = "small";
  pool.workers = 8;
  pool.configured_workers = 4;
  pool.capacity = pool.configured_capacity = 77;
  EXPECT_THAT(PoolsTable({pool}), HasSubstr("8 (4)"));
  EXPECT_THAT(PoolsTable({pool}), Not(HasSubstr("77 (77)")));
}

TEST(ShowTest, ShowsWeightsAndLimits) {
  client::Job job;
  job.weight = 31;
  EXPECT_THAT(JobText(job), HasSubstr("weight        31\n"));
  EXPECT_THAT(JobsTable({job}), HasSubstr(" 31 "));
  EXPECT_EQ(JsonOf(job)["weight"], 31);
  client::Pool pool;
  pool.places_taken = 62;
  EXPECT_EQ(JsonOf(pool)["places_taken"], 62);
  client::HandlerInfo handler;
  EXPECT_THAT(HandlersTable({handler}), Not(HasSubstr("77")));
  handler.max_active = 77;
  EXPECT_THAT(HandlersTable({handler}), HasSubstr(" 77\n"));
  EXPECT_EQ(JsonOf(handler)["max_active"], 77);
}

TEST(ShowTest, NamesAPoolsState) {
  client::Pool pool;
  EXPECT_EQ(StateOf(pool), "serving");
  pool.paused = true;
  EXPECT_EQ(StateOf(pool), "paused");
  pool.removed = true;
  EXPECT_EQ(StateOf(pool), "paused,removed");
}

TEST(ShowTest, KeepsControlCharactersFromTheTerminal) {
  client::Job job;
  job.caller = "evil\033[2J\n";
  job.error = client::JobError{"FAILED", "a\r\nb\x01", false};
  const std::string text = JobText(job) + JobsTable({job});
  for (const char* bad : {"\033", "\r", "\x01", "evil\n"}) EXPECT_THAT(text, Not(HasSubstr(bad)));
}

TEST(ShowTest, ShowsProgressWhereThereIsSome) {
  client::Job job;
  job.state = client::JobState::kActive;
  EXPECT_THAT(JobText(job), Not(HasSubstr("progress")));
  job.progress = 0.42;
  EXPECT_THAT(JobText(job), HasSubstr("progress      42%\n"));
  job.progress_note = "page 3\nof 7";
  EXPECT_THAT(JobText(job), HasSubstr("progress      42%, page 3 of 7\n"));
}

TEST(ShowTest, TheLogIsTheLastPartAsItIs) {
  client::Job job = SucceededWith("");
  job.log = "first\n\n\tthird\r\033[2J\n";
  EXPECT_TRUE(JobText(job).ends_with("log\n  first\n\n  \tthird  [2J\n")) << JobText(job);
  job.log = "cut off";
  job.log_truncated = true;
  EXPECT_TRUE(JobText(job).ends_with("log           the rest was cut off\n  cut off\n"));
}

}  // namespace
}  // namespace workpool::cli
