// What is wrong before any daemon is asked, and daemons that are not there.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "run_cli.h"

namespace workpool::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using CliUsageTest = CliTest;

std::string Content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_F(CliUsageTest, RefusesWhatMakesNoSense) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {},
           {"nonsense"},
           {"post"},
           {"post", "echo", "extra"},
           {"post", "echo", "--nonsense"},
           {"post", "echo", "--data", "a", "--file", "b"},
           {"post", "echo", "--priority", "10"},
           {"post", "echo", "--priority", "-1"},
           {"post", "echo", "--weight", "0"},
           {"post", "echo", "--weight", "100001"},
           {"post", "echo", "--timeout", "5"},
           {"post", "echo", "--meta", "novalue"},
           {"post", "echo", "--when-full", "maybe"},
           {"post", "echo", "--caller", "\xff"},
           {"post", "echo", "--caller", std::string(101, 'a')},
           {"post", "echo", "--content-type", "\xc3"},
           {"post", "echo", "--content-type", std::string(101, 'a')},
           {"post", "echo", "--meta", "\xff=a"},
           {"post", "echo", "--meta", "a=\xff"},
           {"post", "echo", "--meta", "a=" + std::string(17000, 'a')},
           {"post", "echo", "--pool", "\xff"},
           {"post", "\xff"},
           {"run", "echo", "--caller", "\xff"},
           {"resize", "p", "--workers", "0"},
           {"resize", "p", "--workers", "-1"},
           {"resize", "p", "--workers", "100001"},
           {"resize", "p", "--workers", "4294967297"},
           {"resize", "p", "--capacity", "-1"},
           {"resize", "p", "--capacity", "100000001"},
           {"get"},
           {"get", "0"},
           {"get", "x"},
           {"get", "9223372036854775808"},
           {"get", "1", "2"},
           {"list", "--state", "happy"},
           {"list", "--limit", "0"},
           {"top", "--interval", "1ms"},
           {"top", "--count", "0"},
           {"bench", "noop", "--jobs", "0"},
           {"bench", "noop", "--jobs", "-5"},
           {"bench", "noop", "--batch", "10001"},
           {"bench", "noop", "--clients", "0"},
           {"bench", "noop", "--mode", "fast"},
           {"bench", "noop", "--mode", "unary", "--batch", "5"},
           {"bench", "noop", "--mode", "unary", "--outstanding", "100000"},
       }) {
    const Ran ran = Run(arguments);
    const std::string shown = arguments.empty() ? "" : arguments.back();
    EXPECT_EQ(ran.exit, 2) << shown;
    EXPECT_THAT(ran.err, StartsWith("workpool: ")) << shown;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    EXPECT_EQ(ran.out, "") << shown;
  }
  EXPECT_TRUE(server_.works().empty());
}

TEST_F(CliUsageTest, RefusesAddressesThatAreNone) {
  for (const char* server :
       {"", "nonsense", ":7650", "host:", "host:0", "host:65536", "unix:", "http://host:7650",
        "dns:host:1", "[::1]", "[nonsense]:1", "::1:7650", "ho st:1", "host:1/", "\xff:1"}) {
    const Ran ran = RunCli({"pools", "--server", server});
    EXPECT_EQ(ran.exit, 2) << server;
    EXPECT_THAT(ran.err, HasSubstr("HOST:PORT, [V6]:PORT or unix:PATH")) << server;
  }
}

TEST_F(CliUsageTest, NamesWhatIsWrongAndTheRule) {
  for (
      const auto& [arguments, words] :
      std::vector<std::pair<std::vector<std::string>, std::string>>{
          {{"bogus"}, "there is no command \"bogus\""},
          {{"pool"}, "did you mean \"pools\""},
          {{"--bogus"}, "there is no option \"--bogus\" (see workpool --help)"},
          {{"--sever", "x", "pools"},
           "pools has no option \"--sever\", did you mean \"--server\"?"},
          {{"post", "echo", "--dta=x"}, "post has no option \"--dta\", did you mean \"--data\"?"},
          {{"post", "echo", "--dta", "x"}, "post has no option \"--dta\", did you mean"},
          {{"post", "--timeout", "5", "--", "echo"}, "--timeout: \"5\" is not a duration"},
          {{"post", "--", "echo", "two"}, "post has no place for \"two\""},
          {{"list", "-"}, "list has no place for \"-\""},
          {{"resize", "p", "--zzz"}, "resize has no option \"--zzz\" (see workpool resize --help)"},
          {{"post", "echo", "--data", "two", "words"},
           "post has no place for \"words\"; a value with spaces needs quotes (see workpool post "},
          {{"post", "echo", "--timeout", "5"},
           "--timeout: \"5\" is not a duration: a number and one of us, ms, s, m, h, d"},
          {{"post", "echo", "--caller", "\xff"}, "caller: \"\\xff\" is not valid UTF-8"},
          {{"post", "echo", "--meta", "a=\xff"}, "metadata: a: \"\\xff\" is not valid UTF-8"},
          {{"resize", "p", "--workers", "-1"}, "\"-1\" must be a whole number from 1 to 100000"},
          {{"resize", "p", "--capacity", "x"}, "a whole number from 0 to 100000000"}}) {
    EXPECT_THAT(RunCli(arguments).err, HasSubstr(words));
  }
}

// The shell gives the program what the test cannot.
TEST_F(CliUsageTest, OutputThatIsLostIsAFailure) {
  const std::string pools = std::string(WORKPOOL_CLI) + " pools --server " + server_.address();
  for (const char* lost : {" >/dev/full", " >&-", " --json >/dev/full", " --help >/dev/full"}) {
    const std::string told = folder_ + "/told";
    const int status = std::system((pools + lost + " 2>" + told).c_str());
    EXPECT_EQ(WEXITSTATUS(status), 6) << lost;
    EXPECT_THAT(Content(told), StartsWith("workpool: the output is lost: ")) << lost;
  }
  EXPECT_EQ(WEXITSTATUS(std::system((pools + " 2>&1 | true").c_str())), 0);
}

TEST_F(CliUsageTest, ClosedStandardFilesDoNoHarm) {
  const std::string program = WORKPOOL_CLI;
  const std::string server = " --server " + server_.address();
  const auto run = [&](const std::string& rest) {
    return WEXITSTATUS(std::system((program + rest).c_str()));
  };
  EXPECT_EQ(run(" post echo" + server + " >/dev/null 2>&-"), 0);
  EXPECT_EQ(run(" post echo" + server + " >/dev/null <&-"), 0);
  EXPECT_EQ(run(" post echo --file -" + server + " >/dev/null 2>/dev/null <&-"), 2);
  EXPECT_EQ(run(" post echo" + server + " <&- >&- 2>&-"), 6);
}

TEST_F(CliUsageTest, SaysInOneLineThatNobodyIsThere) {
  const std::string address = server_.address();
  server_.Stop();
  for (const std::vector<std::string>& command : {std::vector<std::string>{"pools"},
                                                  {"post", "echo"},
                                                  {"run", "echo"},
                                                  {"top"},
                                                  {"bench", "noop", "--jobs", "5"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--server", address});
    const Ran ran = RunCli(arguments);
    EXPECT_EQ(ran.exit, 3) << command.front();
    EXPECT_THAT(ran.err, StartsWith("workpool: cannot reach the daemon at " + address));
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }
  EXPECT_EQ(RunCli({"pools", "--server", "unix:" + folder_ + "/none"}).exit, 3);
}

TEST_F(CliUsageTest, TakesTheServerFromTheEnvironment) {
  setenv("WORKPOOL_SERVER", server_.address().c_str(), 1);
  EXPECT_EQ(RunCli({"post", "echo"}).exit, 0);
  unsetenv("WORKPOOL_SERVER");
}

TEST_F(CliUsageTest, TakesGlobalOptionsBeforeTheCommandToo) {
  const Ran ran = RunCli({"--json", "--server", server_.address(), "post", "echo"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.Json()["id"], "1");
}

TEST_F(CliUsageTest, SaysItsVersion) {
  const Ran ran = RunCli({"--version"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, "workpool " WORKPOOL_VERSION "\n");
}

TEST_F(CliUsageTest, TellsADaemonThatEndsTheCallFromOneThatIsNotThere) {
  server_.set_judge([](const v1::Work&) {
    return fakes::Refusal(grpc::StatusCode::UNAVAILABLE, "", "the daemon shuts down");
  });
  for (const char* command : {"run", "post"}) {
    const Ran ran = Run({command, "echo"});
    EXPECT_EQ(ran.exit, 3);
    EXPECT_EQ(ran.err, "workpool: the daemon at " + server_.address() +
                           " ended the call: the daemon shuts down\n");
  }
}

TEST_F(CliUsageTest, HelpIsNoFailure) {
  EXPECT_EQ(RunCli({"--help"}).exit, 0);
  EXPECT_THAT(RunCli({"post", "--help"}).out, HasSubstr("--when-full"));
}

}  // namespace
}  // namespace workpool::cli
