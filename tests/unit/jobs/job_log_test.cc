#include "jobs/job_log.h"

#include <gtest/gtest.h>

namespace workpool {
namespace {

struct CountingSink final : LogSink {
  bool Enabled(LogLevel level) const override { return level >= LogLevel::kInfo; }
  void Write(LogLevel, std::string_view message, std::initializer_list<LogField> fields) override {
    if (message.starts_with("lines about jobs were left out")) {
      left_out += std::get<std::uint64_t>(fields.begin()->value);
    } else if (message == "job") {
      ++about_jobs;
    } else {
      ++others;
    }
  }
  std::uint64_t about_jobs = 0;
  std::uint64_t left_out = 0;
  std::uint64_t others = 0;
};

TEST(JobLog, WritesSoManyLinesAboutJobsInASecondAndCountsTheRest) {
  constexpr std::uint64_t kLines = 20'000;
  CountingSink sink;
  LogSink* const before = SetLogSink(&sink);
  const Job job{};
  for (std::uint64_t i = 0; i < kLines; ++i) {
    LogJob(LogLevel::kInfo, "job", job, 1);
    LogJob(LogLevel::kDebug, "job", job, 1);  // counts for nothing
    LogForHandler(LogLevel::kInfo, "handler", job, 1);
    Log(LogLevel::kInfo, "other");
  }
  TellLeftOutJobLines(SteadyTime::max());
  SetLogSink(before);
  EXPECT_GE(sink.about_jobs, kJobLinesPerSecond);
  EXPECT_LT(sink.about_jobs, kLines / 2);
  EXPECT_EQ(sink.about_jobs + sink.left_out, kLines);
  EXPECT_EQ(sink.others, 2 * kLines);
}

}  // namespace
}  // namespace workpool
