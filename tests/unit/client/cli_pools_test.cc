// workpool pools, resize, pause, resume, drain, purge, handlers, info, reload, top
#include <gmock/gmock.h>

#include <sstream>

#include "run_cli.h"

namespace workpool::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CliPoolsTest : public CliTest {
 protected:
  CliPoolsTest() {
    v1::Pool& pool = server_.pool();
    pool.set_workers(2);
    pool.set_configured_workers(4);
    pool.set_capacity(5);
    pool.set_configured_capacity(5);
    pool.set_paused(true);
    pool.set_rejected(9);
  }
};

TEST_F(CliPoolsTest, ShowsPools) {
  const Ran ran = Run({"pools"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  for (const char* word :
       {"NAME", "WORKERS", "ACTIVE", "QUEUED", "CAPACITY", "WAITING", "PEAK", "ACCEPTED",
        "REJECTED", "FINISHED", "STATE", "small", "2 (4)", "paused"}) {
    EXPECT_THAT(ran.out, HasSubstr(word));
  }
  const auto json = Run({"pools", "--json"}).Json();
  EXPECT_EQ(json["pools"][0]["name"], "small");
  EXPECT_EQ(json["pools"][0]["rejected"], 9);
  EXPECT_EQ(Run({"pools", "small", "--json"}).Json()["workers"], 2);
}

TEST_F(CliPoolsTest, ShowsARangeOfWorkers) {
  v1::Pool& pool = server_.pool();
  pool.set_sizing(v1::Pool::SIZING_ELASTIC);
  pool.set_workers(64);
  pool.set_configured_workers(64);
  pool.set_min_workers(2);
  pool.mutable_worker_idle()->set_seconds(30);
  EXPECT_THAT(Run({"pools"}).out, HasSubstr(" 2..64  "));
  const auto json = Run({"pools", "small", "--json"}).Json();
  EXPECT_EQ(json["sizing"], "elastic");
  EXPECT_EQ(json["min_workers"], 2);
  EXPECT_EQ(json["worker_idle_seconds"], 30);
  EXPECT_EQ(json["workers_resized"], false);
  pool.set_workers(9);
  pool.set_workers_resized(true);
  EXPECT_THAT(Run({"pools"}).out, HasSubstr("9 (2..64)"));
  pool.set_sizing(v1::Pool::SIZING_AUTO);
  EXPECT_THAT(Run({"pools"}).out, HasSubstr("9 (auto 2..64)"));
  v1::SizingDecision& decision = *pool.mutable_sizing_decision();
  decision.set_workers(12);
  decision.set_reason("settled");
  decision.set_explanation("good enough");
  EXPECT_THAT(Run({"pools"}).out, HasSubstr("\nsmall: 12 workers, settled: good enough (not in "
                                            "force while the pool is resized)\n"));
  pool.set_workers_resized(false);
  decision.mutable_at()->set_seconds(1'700'000'000);
  EXPECT_THAT(Run({"pools"}).out,
              HasSubstr("small: 12 workers since 2023-11-14T22:13:20.000000Z, settled: good "
                        "enough\n"));
  const auto decided = Run({"pools", "small", "--json"}).Json()["sizing_decision"];
  EXPECT_EQ(decided["workers"], 12);
  EXPECT_EQ(decided["reason"], "settled");
  EXPECT_EQ(decided["at"], "2023-11-14T22:13:20.000000Z");
}

TEST_F(CliPoolsTest, Resizes) {
  const Ran ran = Run({"resize", "small", "--workers", "7", "--for", "90s", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.Json()["workers"], 7);
  EXPECT_THAT(server_.admin_calls().front(), HasSubstr("hold_for { seconds: 90 }"));
  EXPECT_EQ(Run({"resize", "small", "--reset"}).exit, 0);
}

TEST_F(CliPoolsTest, RefusesResizesThatSayNothingOrTwoThings) {
  for (const std::vector<std::string>& rest : {std::vector<std::string>{},
                                               {"--workers", "-1"},
                                               {"--workers", "4294967296"},
                                               {"--capacity", "x"},
                                               {"--reset", "--workers", "1"},
                                               {"--workers", "1", "--for", "soon"}}) {
    std::vector<std::string> arguments = {"resize", "small"};
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    EXPECT_EQ(Run(arguments).exit, 2) << (rest.empty() ? "" : rest.front());
  }
  EXPECT_TRUE(server_.admin_calls().empty());
}

TEST_F(CliPoolsTest, PassesTheOtherCommandsOn) {
  EXPECT_EQ(Run({"pause", "small"}).exit, 0);
  EXPECT_EQ(Run({"resume", "small"}).exit, 0);
  EXPECT_EQ(Run({"drain", "small"}).exit, 0);
  EXPECT_EQ(Run({"purge", "small"}).out, "7 purged\n");
  EXPECT_THAT(server_.admin_calls(), ElementsAre("PausePool small", "ResumePool small",
                                                 "DrainPool small", "PurgePool small"));
}

TEST_F(CliPoolsTest, ExitsFiveForAnUnknownPool) {
  for (const char* command : {"pools", "pause", "resume", "drain", "purge"}) {
    const Ran ran = Run({command, "none"});
    EXPECT_EQ(ran.exit, 5) << command;
    EXPECT_EQ(ran.err, "workpool: there is no pool \"none\" (UNKNOWN_POOL)\n");
  }
}

TEST_F(CliPoolsTest, ADrainEndsAtItsTimeout) {
  server_.Hold();
  const Ran ran = Run({"drain", "small", "--timeout", "50ms"});
  EXPECT_EQ(ran.exit, 6);
  EXPECT_THAT(ran.err, HasSubstr("goes on draining"));
}

TEST_F(CliPoolsTest, ShowsTheDaemon) {
  EXPECT_THAT(Run({"handlers"}).out, HasSubstr("sha256sum"));
  EXPECT_EQ(Run({"handlers", "--json"}).Json()["handlers"][0]["kind"], "command");
  EXPECT_THAT(Run({"info"}).out, HasSubstr("0.1.0"));
  EXPECT_EQ(Run({"info", "--json"}).Json()["pid"], 42);
  EXPECT_THAT(Run({"reload"}).out, HasSubstr("needs a restart: server.listen"));
}

TEST_F(CliPoolsTest, ABadConfigIsExitTwo) {
  server_.set_admin_status(
      {grpc::StatusCode::INVALID_ARGUMENT, "workpool.toml:3:1: no\nworkpool.toml:4:1: nor"},
      "BAD_FIELD");
  const Ran ran = Run({"reload"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.err,
            "workpool: workpool.toml:3:1: no\nworkpool: workpool.toml:4:1: nor (BAD_FIELD)\n");
}

TEST_F(CliPoolsTest, WatchesForSomeReadings) {
  const Ran json = Run({"top", "--count", "3", "--interval", "100ms", "--json"});
  EXPECT_EQ(json.exit, 0) << json.err;
  std::istringstream lines(json.out);
  int readings = 0;
  for (std::string line; std::getline(lines, line); ++readings) {
    EXPECT_EQ(nlohmann::json::parse(line)["pools"][0]["accepted_per_second"], 12.5);
  }
  EXPECT_EQ(readings, 3);
  const Ran text = Run({"top", "--count", "2"});
  EXPECT_EQ(std::ranges::count(text.out, '\n'), 2);
  EXPECT_THAT(text.out, HasSubstr("pool=small workers=2"));
}

}  // namespace
}  // namespace workpool::cli
