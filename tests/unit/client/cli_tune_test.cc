// workpool tune, against a scripted daemon
#include <gmock/gmock.h>

#include "run_cli.h"

namespace workpool::cli {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

class CliTuneTest : public CliTest {
 protected:
  CliTuneTest() {
    v1::Pool& pool = server_.pool();
    pool.set_workers(4);
    pool.set_configured_workers(4);
    pool.set_capacity(5);
    pool.set_configured_capacity(5);
    pool.set_active_peak(3);
    pool.set_queued_peak(2);
  }

  static auto EndsTheHold() {
    return AllOf(HasSubstr("workers: 4 "), HasSubstr("hold_for { nanos: 1000000 }"));
  }
  std::vector<std::string> Resizes() {
    std::vector<std::string> resizes;
    for (const std::string& call : server_.admin_calls()) {
      if (call.starts_with("ResizePool pool:")) resizes.push_back(call);
    }
    return resizes;
  }
};

TEST_F(CliTuneTest, MeasuresEachSizeAndPutsTheOldOneBack) {
  const Ran ran = Run({"tune", "small", "echo", "--sizes", "3,9", "--jobs", "7", "--runs", "2",
                       "--data", "x", "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const auto json = ran.Json();
  EXPECT_EQ(json["pool"], "small");
  EXPECT_EQ(json["handler"], "echo");
  EXPECT_EQ(json["cores"], 1.5);
  EXPECT_EQ(json["jobs"], 7);
  EXPECT_EQ(json["failed"], 0);
  ASSERT_EQ(json["sizes"].size(), 2u);
  EXPECT_EQ(json["sizes"][1]["workers"], 9);
  ASSERT_EQ(json["sizes"][1]["runs"].size(), 2u);
  EXPECT_EQ(json["sizes"][1]["runs"][1]["active_peak"], 3);
  EXPECT_EQ(json["sizes"][1]["runs"][1]["queued_peak"], 2);
  EXPECT_GT(json["sizes"][1]["average_seconds"], 0);
  ASSERT_EQ(server_.works().size(), 28u);
  EXPECT_EQ(server_.works().front().payload(), "x");
  EXPECT_EQ(server_.works().front().pool(), "small");
  EXPECT_EQ(server_.works().front().when_full(), v1::WHEN_FULL_WAIT);
  const auto resizes = Resizes();
  ASSERT_EQ(resizes.size(), 3u);
  EXPECT_THAT(resizes[0], AllOf(HasSubstr("workers: 3 "), HasSubstr("hold_for { seconds: 15 }")));
  EXPECT_THAT(resizes[1], HasSubstr("workers: 9 "));
  EXPECT_THAT(resizes[2], EndsTheHold());
}

TEST_F(CliTuneTest, ShowsATable) {
  const Ran ran = Run({"tune", "small", "echo", "--sizes", "3", "--jobs", "7", "--runs", "2"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  for (const char* text : {"CORES  WORKERS  JOBS", "RUN", "DURATION", "PEAK ACTIVE", "PEAK QUEUED",
                           "  1.5        3     7        1", "average",
                           "3 workers: the smallest size within 5% of the best (3 workers, "}) {
    EXPECT_THAT(ran.out, HasSubstr(text));
  }
  EXPECT_THAT(ran.err, HasSubstr("3 workers, run 2 of 2: "));
}

TEST_F(CliTuneTest, EndsItsHoldOverWhatAnOperatorHasSetForGood) {
  server_.pool().set_workers_resized(true);
  ASSERT_EQ(Run({"tune", "small", "echo", "--sizes", "3", "--jobs", "1", "--runs", "1"}).exit, 0);
  EXPECT_THAT(Resizes().back(), EndsTheHold());
}

TEST_F(CliTuneTest, PutsBackWhatAnOperatorHasSetForAWhile) {
  server_.pool().set_workers_resized(true);
  server_.pool().mutable_resized_until()->set_seconds(4'000'000'000);
  ASSERT_EQ(Run({"tune", "small", "echo", "--sizes", "3", "--jobs", "1", "--runs", "1"}).exit, 0);
  EXPECT_THAT(Resizes().back(), AllOf(HasSubstr("workers: 4 "), HasSubstr("hold_for { seconds: ")));
}

TEST_F(CliTuneTest, LeavesAPoolToWhoeverHasResizedItMeanwhile) {
  const auto resized_to = [this](std::uint32_t workers) {
    server_.set_judge([this, workers](const v1::Work&) {
      server_.pool().set_workers(workers);
      server_.pool().clear_resized_until();
      return std::nullopt;
    });
    return Run({"tune", "small", "echo", "--sizes", "3,9", "--jobs", "1", "--runs", "1"});
  };
  const Ran other = resized_to(50);
  EXPECT_EQ(other.exit, 6);
  EXPECT_THAT(other.err, HasSubstr("pool small was set to 3 workers and has 50 by now"));
  EXPECT_EQ(Resizes().size(), 1u);
  EXPECT_EQ(server_.pool().workers(), 50u);
  EXPECT_EQ(resized_to(3).exit, 6);  // the same number, but for good
  EXPECT_EQ(Resizes().size(), 2u);
}

TEST_F(CliTuneTest, TellsOfJobsThatFail) {
  const Ran ran = Run({"tune", "small", "fail", "--sizes", "3", "--jobs", "4", "--runs", "1",
                       "--data", "why", "--json"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(ran.Json()["failed"], 4);
  EXPECT_THAT(ran.err, HasSubstr("4 of 4 jobs failed: FAILED: why"));
}

TEST_F(CliTuneTest, EndsAsOtherCommandsDoWhenItIsRefused) {
  EXPECT_EQ(Run({"tune", "none", "echo"}).exit, 5);
  EXPECT_TRUE(Resizes().empty());
  server_.set_judge([](const v1::Work&) {
    return fakes::Refusal(grpc::StatusCode::NOT_FOUND, "UNKNOWN_HANDLER", "there is none");
  });
  const Ran ran = Run({"tune", "small", "missing", "--sizes", "3"});
  EXPECT_EQ(ran.exit, 5);
  EXPECT_THAT(ran.err, HasSubstr("UNKNOWN_HANDLER"));
  EXPECT_THAT(Resizes().back(), EndsTheHold());
  EXPECT_EQ(RunCli({"tune", "small", "echo", "--server", "127.0.0.1:1"}).exit, 3);
}

TEST_F(CliTuneTest, MeasuresNoPoolThatStandsStill) {
  server_.pool().set_paused(true);
  const Ran ran = Run({"tune", "small", "echo"});
  EXPECT_EQ(ran.exit, 6);
  EXPECT_THAT(ran.err, HasSubstr("pool small is paused"));
  EXPECT_TRUE(Resizes().empty());
}

TEST_F(CliTuneTest, EndsARunThatTakesTooLong) {
  server_.Hold();
  const Ran ran =
      Run({"tune", "small", "echo", "--sizes", "3", "--jobs", "2", "--patience", "100ms"});
  EXPECT_EQ(ran.exit, 6) << ran.err;
  EXPECT_THAT(Resizes().back(), EndsTheHold());
}

TEST_F(CliTuneTest, RefusesBadUsage) {
  for (const char* sizes : {"", "0", "8,", ",8", "8;9", "100001", "8,x", "-1"}) {
    const Ran ran = Run({"tune", "small", "echo", "--sizes", sizes});
    EXPECT_EQ(ran.exit, 2) << sizes;
    EXPECT_THAT(ran.err, HasSubstr("--sizes")) << sizes;
  }
  const Ran twice = Run({"tune", "small", "echo", "--sizes", "8,9,8"});
  EXPECT_EQ(twice.exit, 2);
  EXPECT_THAT(twice.err, HasSubstr("--sizes: 8 is there twice"));
  const Ran hasty = Run({"tune", "small", "echo", "--patience", "0s"});
  EXPECT_EQ(hasty.exit, 2);
  EXPECT_THAT(hasty.err, HasSubstr("--patience: must be above 0s"));
  EXPECT_EQ(Run({"tune", "small", "echo", "--jobs", "0"}).exit, 2);
  EXPECT_EQ(Run({"tune", "small", "echo", "--runs", "x"}).exit, 2);
  EXPECT_EQ(Run({"tune", "small"}).exit, 2);
  EXPECT_EQ(Run({"tune", "small", "echo", "--payload-file", folder_ + "/none"}).exit, 2);
  EXPECT_TRUE(server_.admin_calls().empty());
}

}  // namespace
}  // namespace workpool::cli
