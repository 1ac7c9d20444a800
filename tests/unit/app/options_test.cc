// The command line, and what it overrides.
#include "app/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "app/config_source.h"
#include "app/exit_status.h"

namespace workpool {
namespace {

using testing::HasSubstr;

std::expected<Options, int> Parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "workpoold");
  return ParseOptions(static_cast<int>(arguments.size()), arguments.data());
}

TEST(Options, AreTakenFromTheCommandLine) {
  const auto options = Parse({"--config", "f.toml", "--print-config", "--check-config", "--listen",
                              "127.0.0.1:0", "--http=off"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->config_file, "f.toml");
  EXPECT_TRUE(options->print_config);
  EXPECT_TRUE(options->check_config);
  EXPECT_EQ(options->listen, "127.0.0.1:0");
  EXPECT_EQ(options->http, "off");
}

TEST(Options, EndWithTwoOnBadUsage) {
  for (const char* argument : {"--confg", "extra", "--config", "-x"}) {
    testing::internal::CaptureStderr();
    const auto options = Parse({argument});
    const std::string said = testing::internal::GetCapturedStderr();
    ASSERT_FALSE(options) << argument;
    EXPECT_EQ(options.error(), kExitUsage);
    EXPECT_NE(said, "") << argument;
  }
}

TEST(Options, EndWithZeroAfterHelpAndVersion) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(Parse({"--version"}), std::unexpected(kExitOk));
  EXPECT_THAT(testing::internal::GetCapturedStdout(), testing::MatchesRegex("workpoold [0-9.]+\n"));
  testing::internal::CaptureStdout();
  EXPECT_EQ(Parse({"--help"}), std::unexpected(kExitOk));
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("--check-config"));
}

TEST(ConfigSource, GivesTheDefaultsWithoutAFile) {
  const auto config = ConfigSource({}, {}).Load();
  ASSERT_TRUE(config);
  EXPECT_EQ(config->server, ServerSettings{});
  EXPECT_EQ(PoolNames(*config), std::vector<std::string>{"default"});
}

TEST(ConfigSource, PutsTheCommandLineAboveTheFile) {
  Options options;
  options.listen = "127.0.0.1:0";
  options.http = "";
  const auto config = ConfigSource(options, {}).Load();
  ASSERT_TRUE(config);
  EXPECT_EQ(config->server.listen, "127.0.0.1:0");
  EXPECT_EQ(config->server.http, kHttpOff);
}

TEST(ConfigSource, HoldsOverridesToTheSameRule) {
  Options open_grpc;
  open_grpc.listen = "0.0.0.0:1";
  EXPECT_THAT(ConfigSource(open_grpc, {}).Load().error().message,
              testing::StartsWith("--listen: \"0.0.0.0:1\": listens beyond this machine"));
  Options open_http;
  open_http.http = "[::]:1";
  EXPECT_THAT(ConfigSource(open_http, {}).Load().error().message, HasSubstr("--http: "));
  Options unix_http;
  unix_http.http = "unix:/x";
  EXPECT_THAT(ConfigSource(unix_http, {}).Load().error().message, HasSubstr("no unix socket"));
}

TEST(ConfigSource, ReadsTheFileAgainAtEachLoad) {
  const std::string file = testing::TempDir() + "/source.toml";
  Options options;
  options.config_file = file;
  const ConfigSource source(options, {});
  std::ofstream(file) << "[pools.a]\n";
  EXPECT_EQ(PoolNames(source.Load().value()), std::vector<std::string>{"a"});
  std::ofstream(file) << "[pools.b]\n";
  EXPECT_EQ(PoolNames(source.Load().value()), std::vector<std::string>{"b"});
  std::ofstream(file) << "[pools.b\n";
  EXPECT_THAT(source.Load().error().message, testing::StartsWith(file + ":1:9: "));
}

}  // namespace
}  // namespace workpool
