// What --print-config prints reads back the same; the sample file says the defaults.
#include "app/config_printer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "app/config_reader.h"

namespace workpool {
namespace {

const KnownHandlers kKnown{{"echo"}, {}};

std::string PrintAndReadBack(const std::string& printed) {
  const auto config = ParseConfig(printed, "printed", kKnown);
  return config ? PrintConfig(*config, 2) : config.error().message;
}

TEST(ConfigPrinter, PrintsDefaultsThatReadBackTheSame) {
  const std::string printed = PrintConfig(DefaultConfig(), 2);
  EXPECT_EQ(PrintAndReadBack(printed), printed);
  EXPECT_THAT(printed, testing::HasSubstr("workers = \"3x\"  # 6 here\n"));
}

TEST(ConfigPrinter, PrintsRangesOfWorkersThatReadBackTheSame) {
  Config config = DefaultConfig();
  Workers& workers = config.pools.front().workers;
  workers.sizing = Sizing::kElastic;
  workers.min = 2;
  workers.max = 64;
  std::string printed = PrintConfig(config, 2);
  EXPECT_THAT(printed, testing::HasSubstr("workers = { min = 2, max = 64, idle = \"30s\" }\n"));
  EXPECT_EQ(PrintAndReadBack(printed), printed);
  workers.sizing = Sizing::kAuto;
  printed = PrintConfig(config, 2);
  EXPECT_THAT(printed, testing::HasSubstr("workers = { auto = true, min = 2, max = 64"));
  EXPECT_EQ(PrintAndReadBack(printed), printed);
}

TEST(ConfigPrinter, PrintsAwkwardValuesThatReadBackTheSame) {
  Config config;
  config.server.http = kHttpOff;
  config.server.insecure = true;
  config.server.shutdown = ShutdownMode::kStop;
  config.server.grace = std::chrono::milliseconds(1500);
  config.server.max_payload = 12345;
  config.server.log = {LogFormat::kJson, LogLevel::kError};
  PoolSettings& pool = config.pools.emplace_back();
  pool.name = "a.b-c_d";
  pool.workers = {0, 125};
  pool.when_full = WhenFull::kWait;
  pool.keep.finished = {};
  HandlerSettings& handler = config.handlers.emplace_back();
  handler.name = "1.2";
  handler.pool = "a.b-c_d";
  handler.exec = {"sh", "-c", "echo \"a\\b\"\n\t\x01\x7f '\xc3\xa4'"};
  handler.cwd = "/with space";
  handler.max_active = 3;
  handler.env = {{"A B", "x = \"y\""}, {"\xc3\xa4", ""}};
  const std::string printed = PrintConfig(config, 2);
  EXPECT_EQ(PrintAndReadBack(printed), printed);
  const auto read = ParseConfig(printed, "printed", kKnown);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->server, config.server);
  EXPECT_EQ(read->handlers, config.handlers);
}

TEST(ServerChanges, NameTheKeyAndBothValues) {
  ServerSettings wanted;
  EXPECT_THAT(ServerChanges({}, wanted), testing::IsEmpty());
  wanted.grace = std::chrono::minutes(1);
  wanted.log.level = LogLevel::kDebug;
  wanted.builtin_handlers = false;
  EXPECT_THAT(ServerChanges({}, wanted),
              testing::ElementsAre("server.grace: \"30s\" -> \"1m\"",
                                   "server.log: { format = \"auto\", level = \"info\" } -> "
                                   "{ format = \"auto\", level = \"debug\" }"));
}

TEST(SampleFile, SaysTheDefaults) {
  const auto sample = ReadConfigFile(WORKPOOL_SAMPLE_CONFIG, kKnown);
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(sample->server, ServerSettings{});
  ASSERT_FALSE(sample->pools.empty());
  Config first;
  first.pools = {sample->pools.front()};
  EXPECT_EQ(PrintConfig(first, 2), PrintConfig(DefaultConfig(), 2));
  ASSERT_EQ(sample->handlers.size(), 1U);
  const HandlerSettings checksum{
      .name = "checksum", .pool = "default", .exec = {"sha256sum"}, .cwd = {}, .env = {}};
  EXPECT_EQ(sample->handlers[0], checksum);
}

TEST(SampleFile, ShowsEveryKeyThatIsServed) {
  const auto sample = ReadConfigFile(WORKPOOL_SAMPLE_CONFIG, kKnown);
  ASSERT_TRUE(sample) << sample.error().message;
  std::FILE* file = std::fopen(WORKPOOL_SAMPLE_CONFIG, "re");
  ASSERT_NE(file, nullptr);
  std::string text(1 << 16, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  for (const char* key :
       {"listen",      "http",        "insecure",    "grace",         "shutdown",
        "max_message", "max_payload", "max_result",  "stream_window", "builtin_handlers",
        "log",         "kind",        "workers",     "capacity",      "capacity_bytes",
        "when_full",   "max_wait",    "max_waiting", "keep",          "keep_dead",
        "pool",        "exec",        "cwd",         "env",           "no_retry_exit",
        "timeout",     "kill_grace",  "max_active"}) {
    EXPECT_THAT(text, testing::ContainsRegex("\n#? ?" + std::string(key) + " += ")) << key;
  }
}

}  // namespace
}  // namespace workpool
