#include "tune_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace workpool::cli {
namespace {

using std::chrono::milliseconds;

TunedSize Size(std::uint32_t workers, milliseconds duration, std::uint64_t failed = 0) {
  TuneRun run{};
  run.duration = duration;
  run.failed = failed;
  return {.workers = workers, .runs = {run}};
}

TuneReport Report(std::vector<TunedSize> sizes) {
  return {.pool = "p", .handler = "h", .cores = 2, .jobs = 10, .sizes = std::move(sizes)};
}

TEST(TuneReportTest, NamesTheSmallestSizeThatIsGoodEnough) {
  const TuneReport report =
      Report({Size(2, milliseconds(200)), Size(4, milliseconds(104)), Size(8, milliseconds(100))});
  EXPECT_EQ(report.Best()->workers, 8U);
  EXPECT_EQ(report.Smallest()->workers, 4U);
}

TEST(TuneReportTest, ASizeAtWhichJobsFailedIsNone) {
  const TuneReport report = Report({Size(1, milliseconds(10), 1), Size(4, milliseconds(104)),
                                    Size(8, milliseconds(103), 2), Size(16, milliseconds(110))});
  EXPECT_EQ(report.Best()->workers, 4U);
  EXPECT_EQ(report.Smallest()->workers, 4U);
  EXPECT_EQ(report.Failed(), 3U);
}

TEST(TuneReportTest, NamesNoneWhereAllFailed) {
  const TuneReport report = Report({Size(1, milliseconds(10), 10)});
  EXPECT_EQ(report.Best(), nullptr);
  EXPECT_THAT(TextOf(report), ::testing::EndsWith("no size is named: jobs failed at each\n"));
  const auto json = JsonOf(report);
  EXPECT_TRUE(json["best_workers"].is_null());
  EXPECT_TRUE(json["smallest_good_workers"].is_null());
}

}  // namespace
}  // namespace workpool::cli
