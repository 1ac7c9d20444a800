// What the config file says is what the daemon gets.
#include "app/config_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace workpool {
namespace {

using testing::HasSubstr;

const KnownHandlers kKnown{{"echo", "sleep"}, {"resize"}};

Config MustParse(const std::string& text) {
  auto config = ParseConfig(text, "w.toml", kKnown);
  EXPECT_TRUE(config) << config.error().message;
  return config.value_or(Config{});
}

TEST(ConfigReader, GivesAnEmptyFileTheDefaultsAndThePoolDefault) {
  const Config config = MustParse("");
  EXPECT_EQ(config.server, ServerSettings{});
  ASSERT_EQ(config.pools.size(), 1U);
  EXPECT_EQ(config.pools[0].name, "default");
}

TEST(ConfigReader, AddsNoDefaultPoolToAFileThatHasPools) {
  const Config config = MustParse("[pools.a]\n[pools.b]\n");
  ASSERT_EQ(config.pools.size(), 2U);
  EXPECT_EQ(config.pools[0].name, "a");
}

TEST(ConfigReader, ReadsEveryKeyOfTheServer) {
  const ServerSettings server = MustParse(R"([server]
listen = "unix:/run/workpool/grpc.sock"
http = "0.0.0.0:80"
insecure = true
grace = "1m"
shutdown = "stop"
max_message = "8MiB"
max_payload = "2MiB"
max_result = "1MiB"
stream_window = { items = 5, bytes = "64KiB" }
builtin_handlers = false
log = { format = "json", level = "debug" }
)")
                                    .server;
  const ServerSettings expected{
      .listen = "unix:/run/workpool/grpc.sock",
      .http = "0.0.0.0:80",
      .insecure = true,
      .grace = std::chrono::minutes(1),
      .shutdown = ShutdownMode::kStop,
      .max_message = 8U << 20,
      .max_payload = 2U << 20,
      .max_result = 1U << 20,
      .stream_window_items = 5,
      .stream_window_bytes = 64U << 10,
      .builtin_handlers = false,
      .log = {LogFormat::kJson, LogLevel::kDebug},
  };
  EXPECT_EQ(server, expected);
}

TEST(ConfigReader, ReadsEveryKeyOfAPool) {
  const Config config = MustParse(R"([pools.p]
workers = "1.5x"
capacity = 0
capacity_bytes = "1MiB"
when_full = "wait"
max_wait = "10s"
max_waiting = 7
keep = { age = "1s", jobs = 2, bytes = "3KiB" }
keep_dead = { age = "4s", jobs = 5, bytes = "6KiB" }
)");
  const PoolSettings& pool = config.pools.at(0);
  EXPECT_EQ(pool.workers, (Workers{0, 150}));
  EXPECT_EQ(pool.capacity, 0U);
  EXPECT_EQ(pool.capacity_bytes, 1U << 20);
  EXPECT_EQ(pool.when_full, WhenFull::kWait);
  EXPECT_EQ(pool.max_wait, std::chrono::seconds(10));
  EXPECT_EQ(pool.max_waiting, 7U);
  EXPECT_EQ(pool.keep.finished.age, std::chrono::seconds(1));
  EXPECT_EQ(pool.keep.finished.jobs, 2U);
  EXPECT_EQ(pool.keep.finished.bytes, 3U << 10);
  EXPECT_EQ(pool.keep.dead.age, std::chrono::seconds(4));
  EXPECT_EQ(pool.keep.dead.jobs, 5U);
  EXPECT_EQ(pool.keep.dead.bytes, 6U << 10);
}

TEST(ConfigReader, ReadsARangeOfWorkers) {
  const auto workers = [](const std::string& table) {
    return MustParse("[pools.p]\nworkers = " + table + "\n").pools.at(0).workers;
  };
  Workers expected;
  expected.sizing = Sizing::kElastic;
  expected.max = 8;
  EXPECT_EQ(workers("{ max = 8 }"), expected);
  expected.min = 2;
  expected.max = 64;
  expected.idle = std::chrono::milliseconds(1500);
  EXPECT_EQ(workers("{ min = 2, max = 64, idle = \"1.5s\" }"), expected);
  EXPECT_EQ(workers("{ min = 2, max = 64, idle = \"1.5s\", auto = false }"), expected);
  expected.sizing = Sizing::kAuto;
  EXPECT_EQ(workers("{ auto = true, min = 2, max = 64, idle = \"1.5s\" }"), expected);
  EXPECT_EQ(expected.Resolve(2), 64U);
}

TEST(ConfigReader, ReadsEveryKeyOfAHandler) {
  const Config config = MustParse(R"([pools.p]
[handlers.h]
pool = "p"
exec = ["convert", "-"]
cwd = "/tmp"
env = { LANG = "C" }
no_retry_exit = 3
timeout = "30s"
kill_grace = "1s"
max_active = 8
max_attempts = 1
)");
  const HandlerSettings expected{.name = "h",
                                 .pool = "p",
                                 .exec = {"convert", "-"},
                                 .cwd = "/tmp",
                                 .env = {{"LANG", "C"}},
                                 .no_retry_exit = 3,
                                 .timeout = std::chrono::seconds(30),
                                 .kill_grace = std::chrono::seconds(1),
                                 .max_active = 8};
  ASSERT_EQ(config.handlers.size(), 1U);
  EXPECT_EQ(config.handlers[0], expected);
}

TEST(ConfigReader, TakesBuiltinAndCppHandlersWithoutExec) {
  const Config config =
      MustParse("[handlers.echo]\npool = 'default'\n[handlers.resize]\npool = 'default'\n");
  EXPECT_EQ(config.handlers.size(), 2U);
}

TEST(ConfigReader, SwitchesHttpOffByEmptyOrOff) {
  EXPECT_EQ(MustParse("[server]\nhttp = \"\"").server.http, kHttpOff);
  EXPECT_EQ(MustParse("[server]\nhttp = \"off\"").server.http, kHttpOff);
}

TEST(ConfigFile, ThatIsMissingOrAFolderIsNamedWithTheReason) {
  EXPECT_EQ(ReadConfigFile("/no/such/file", kKnown).error().message,
            "/no/such/file: cannot be read: No such file or directory");
  EXPECT_EQ(ReadConfigFile("/tmp", kKnown).error().message, "/tmp: cannot be read: Is a directory");
}

TEST(ConfigFile, ThatNeverEndsIsRefused) {
  EXPECT_THAT(ReadConfigFile("/dev/zero", kKnown).error().message, HasSubstr("over 1 MiB"));
}

}  // namespace
}  // namespace workpool
