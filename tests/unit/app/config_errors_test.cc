// The config is read strictly: each thing that is wrong is named with its place and the rule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "app/config_reader.h"

namespace workpool {
namespace {

using testing::HasSubstr;

const KnownHandlers kKnown{{"echo", "sleep"}, {"resize"}};

Result<Config> Parse(const std::string& text) { return ParseConfig(text, "w.toml", kKnown); }

struct BadFile {
  std::string text;
  std::string message;  // a part of it
};

void PrintTo(const BadFile& file, std::ostream* out) { *out << file.text; }

class BadConfig : public testing::TestWithParam<BadFile> {};

TEST_P(BadConfig, IsRefusedWithPlaceAndRule) {
  const auto config = Parse(GetParam().text);
  ASSERT_FALSE(config) << GetParam().text;
  EXPECT_EQ(config.error().code, ErrorCode::kBadConfig);
  EXPECT_THAT(config.error().message, HasSubstr(GetParam().message));
}

std::string Server(const std::string& line) { return "[server]\n" + line; }
std::string Pool(const std::string& line) { return "[pools.p]\n" + line; }
std::string Command(const std::string& line) {
  return "[pools.p]\n[handlers.h]\npool = 'p'\nexec = ['true']\n" + line;
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, BadConfig,
    testing::Values(BadFile{"[server\n", "w.toml:1:8: no TOML"},
                    BadFile{"[server]\ngrace = \"1s\"\ngrace = \"2s\"", "w.toml:3:"},
                    BadFile{std::string("[server]\nlisten = \"\xff\""), "no TOML"},
                    BadFile{"sever = 1",
                            "w.toml:1:1: sever: unknown key; did you mean \"server\"?"},
                    BadFile{"server = 1", "w.toml:1:10: server: is an integer, must be a table"},
                    BadFile{"[[server]]", "must be a table"}));

INSTANTIATE_TEST_SUITE_P(
    Unknown, BadConfig,
    testing::Values(BadFile{Server("grase = \"1s\""),
                            "w.toml:2:1: server.grase: unknown key; did you mean \"grace\"?"},
                    BadFile{Server("zzzzzzzz = 1"), "server.zzzzzzzz: unknown key"},
                    BadFile{Server("log = { fromat = \"text\" }"),
                            "w.toml:2:9: server.log.fromat: unknown key; did you mean \"format\"?"},
                    BadFile{Server("stream_window = { item = 1 }"), "did you mean \"items\"?"},
                    BadFile{"[store]\nknid = \"memory\"",
                            "w.toml:2:1: store.knid: unknown key; did you mean \"kind\"?"},
                    BadFile{Pool("capcity = 1"),
                            "w.toml:2:1: pools.p.capcity: unknown key; did you mean \"capacity\"?"},
                    BadFile{Pool("keep = { agee = \"1s\" }"),
                            "pools.p.keep.agee: unknown key; did you mean \"age\"?"},
                    BadFile{
                        Command("timeuot = \"1s\""),
                        "w.toml:5:1: handlers.h.timeuot: unknown key; did you mean \"timeout\"?"}));

INSTANTIATE_TEST_SUITE_P(
    WrongType, BadConfig,
    testing::Values(
        BadFile{Server("listen = 7650"),
                "w.toml:2:10: server.listen: is an integer, must be a string"},
        BadFile{Server("http = false"), "w.toml:2:8: server.http: is a boolean, must be a string"},
        BadFile{Server("insecure = \"yes\""),
                "w.toml:2:12: server.insecure: is a string, must be true or false"},
        BadFile{Server("grace = 30"),
                "w.toml:2:9: server.grace: is an integer, must be a duration"},
        BadFile{Server("shutdown = true"), "w.toml:2:12: server.shutdown: is a boolean"},
        BadFile{Server("max_message = 64"),
                "w.toml:2:15: server.max_message: is an integer, must be a size"},
        BadFile{Server("max_payload = 64"), "w.toml:2:15: server.max_payload: is an integer"},
        BadFile{Server("max_result = 6.4"), "w.toml:2:14: server.max_result: is a float"},
        BadFile{Server("stream_window = 1000"),
                "w.toml:2:17: server.stream_window: is an integer, must be a table"},
        BadFile{Server("stream_window = { items = \"1\" }"),
                "w.toml:2:27: server.stream_window.items: is a string"},
        BadFile{Server("stream_window = { bytes = 1 }"),
                "server.stream_window.bytes: is an integer"},
        BadFile{Server("builtin_handlers = 1"),
                "w.toml:2:20: server.builtin_handlers: is an integer"},
        BadFile{Server("log = \"json\""), "w.toml:2:7: server.log: is a string, must be a table"},
        BadFile{Server("log = { level = 3 }"), "w.toml:2:17: server.log.level: is an integer"},
        BadFile{"[store]\nkind = 1", "w.toml:2:8: store.kind: is an integer"},
        BadFile{"pools = 3", "pools: is an integer, must be a table"},
        BadFile{"pools.p = 3", "w.toml:1:11: pools.p: is an integer, must be a table"},
        BadFile{Pool("workers = 2.5"), "w.toml:2:11: pools.p.workers: must be a whole number"},
        BadFile{Pool("workers = [1]"), "pools.p.workers: must be"},
        BadFile{Pool("workers = { min = \"2\", max = 4 }"),
                "w.toml:2:19: pools.p.workers.min: is a string, must be a whole number from 1"},
        BadFile{Pool("workers = { min = 2, max = 4.5 }"), "pools.p.workers.max: is a float"},
        BadFile{Pool("workers = { max = 4, idle = 30 }"),
                "w.toml:2:29: pools.p.workers.idle: is an integer, must be a duration"},
        BadFile{Pool("workers = { auto = 1, max = 4 }"), "pools.p.workers.auto: is an integer"},
        BadFile{Pool("capacity = \"9\""),
                "w.toml:2:12: pools.p.capacity: is a string, must be a whole number from 0"},
        BadFile{Pool("capacity = 1.0"), "pools.p.capacity: is a float"},
        BadFile{Pool("capacity_bytes = 9"), "w.toml:2:18: pools.p.capacity_bytes: is an integer"},
        BadFile{Pool("when_full = 1"), "w.toml:2:13: pools.p.when_full: is an integer"},
        BadFile{Pool("max_wait = 1"), "w.toml:2:12: pools.p.max_wait: is an integer"},
        BadFile{Pool("max_waiting = true"), "w.toml:2:15: pools.p.max_waiting: is a boolean"},
        BadFile{Pool("keep = \"1s\""), "w.toml:2:8: pools.p.keep: is a string, must be a table"},
        BadFile{Pool("keep = { age = 1 }"), "pools.p.keep.age: is an integer"},
        BadFile{Pool("keep = { jobs = \"1\" }"), "pools.p.keep.jobs: is a string"},
        BadFile{Pool("keep_dead = { bytes = 1 }"), "pools.p.keep_dead.bytes: is an integer"},
        BadFile{Command("cwd = 1"), "w.toml:5:7: handlers.h.cwd: is an integer, must be a string"},
        BadFile{Command("env = \"A=1\""),
                "w.toml:5:7: handlers.h.env: is a string, must be a table"},
        BadFile{Command("env = { A = 1 }"),
                "w.toml:5:13: handlers.h.env.A: is an integer, must be a string"},
        BadFile{Command("no_retry_exit = \"1\""),
                "w.toml:5:17: handlers.h.no_retry_exit: is a string"},
        BadFile{Command("timeout = 1"), "w.toml:5:11: handlers.h.timeout: is an integer"},
        BadFile{Command("max_active = \"8\""), "w.toml:5:14: handlers.h.max_active: is a string"},
        BadFile{Command("kill_grace = 1"), "w.toml:5:14: handlers.h.kill_grace: is an integer"},
        BadFile{"[handlers.h]\npool = 1\nexec = ['a']\n[pools.p]",
                "w.toml:2:8: handlers.h.pool: is an integer"},
        BadFile{"[handlers.h]\npool = 'p'\nexec = 'a b'\n[pools.p]",
                "w.toml:3:8: handlers.h.exec: is a string, must be an array of strings"},
        BadFile{"[handlers.h]\npool = 'p'\nexec = ['a', 1]\n[pools.p]",
                "w.toml:3:14: handlers.h.exec: holds an integer"}));

INSTANTIATE_TEST_SUITE_P(
    OutOfRange, BadConfig,
    testing::Values(
        BadFile{Server("grace = \"-1s\""), "w.toml:2:9: server.grace: \"-1s\" is not a duration"},
        BadFile{Server("grace = \"25h\""), "server.grace: \"25h\" is not from 0s to 1d"},
        BadFile{Server("shutdown = \"halt\""),
                "server.shutdown: \"halt\" is not one of \"drain\", \"stop\""},
        BadFile{Server("max_message = \"1KiB\""),
                "server.max_message: \"1KiB\" is not from 64KiB to 1GiB"},
        BadFile{Server("max_message = \"64 MB\""), "is not a size"},
        BadFile{Server("max_payload = \"0B\""), "server.max_payload: \"0B\" is not from 1B"},
        BadFile{Server("max_payload = \"64MiB\""),
                "server.max_payload: must be less than max_message"},
        BadFile{Server("max_result = \"2TiB\""), "server.max_result: \"2TiB\" is not from"},
        BadFile{Server("stream_window = { items = 0 }"),
                "server.stream_window.items: 0 is not from 1"},
        BadFile{Server("stream_window = { bytes = \"1B\" }"),
                "server.stream_window.bytes: \"1B\" is not from"},
        BadFile{Server("log = { format = \"jsn\" }"),
                "\"jsn\" is not one of \"auto\", \"text\", \"json\"; did you mean \"json\"?"},
        BadFile{Server("log = { level = \"loud\" }"), "\"loud\" is not one of"},
        BadFile{"[store]\nkind = \"sqlite\"",
                "w.toml:2:8: store.kind: \"sqlite\" is not a kind of store; the only kind is "
                "\"memory\""},
        BadFile{Pool("workers = 0"), "w.toml:2:11: pools.p.workers: 0 is not from 1 to 100000"},
        BadFile{Pool("workers = -3"), "pools.p.workers: -3 is not from 1 to 100000"},
        BadFile{Pool("workers = 100001"), "pools.p.workers: 100001 is not from"},
        BadFile{Pool("workers = { min = 5, max = 4 }"),
                "w.toml:2:19: pools.p.workers.min: 5 is above max, which is 4"},
        BadFile{Pool("workers = { min = 0, max = 4 }"), "pools.p.workers.min: 0 is not from 1"},
        BadFile{Pool("workers = { min = 2 }"),
                "w.toml:2:11: pools.p.workers.max: is missing: the most workers there may be"},
        BadFile{Pool("workers = { auto = true }"), "pools.p.workers.max: is missing"},
        BadFile{Pool("workers = { max = 100001 }"), "pools.p.workers.max: 100001 is not from 1"},
        BadFile{Pool("workers = { max = 4, idle = \"1ms\" }"),
                "pools.p.workers.idle: \"1ms\" is not from 10ms"},
        BadFile{Pool("workers = { max = 4, mim = 2 }"),
                "w.toml:2:22: pools.p.workers.mim: unknown key; did you mean \"min\"?"},
        BadFile{Pool("workers = \"x\""), "pools.p.workers: must be a whole number"},
        BadFile{Pool("workers = \"0x\""), "pools.p.workers: must be"},
        BadFile{Pool("workers = \"-1x\""), "pools.p.workers: must be"},
        BadFile{Pool("workers = \"1001x\""), "pools.p.workers: must be"},
        BadFile{Pool("workers = \"nanx\""), "pools.p.workers: must be"},
        BadFile{Pool("workers = \"3 x\""), "pools.p.workers: must be"},
        BadFile{Pool("capacity = -1"), "pools.p.capacity: -1 is not from 0 to"},
        BadFile{Pool("capacity = 9223372036854775807"),
                "pools.p.capacity: 9223372036854775807 is not from"},
        BadFile{Pool("capacity = 9223372036854775808"), "w.toml:2:31: no TOML"},
        BadFile{Pool("capacity_bytes = \"1B\""), "pools.p.capacity_bytes: \"1B\" is not from 1KiB"},
        BadFile{Pool("when_full = \"drop\""),
                "pools.p.when_full: \"drop\" is not one of \"reject\", \"wait\""},
        BadFile{Pool("max_wait = \"2d\""), "pools.p.max_wait: \"2d\" is not from 0s to 1d"},
        BadFile{Pool("max_waiting = 1000001"), "pools.p.max_waiting: 1000001 is not from"},
        BadFile{Pool("keep = { age = \"9999d\" }"),
                "pools.p.keep.age: \"9999d\" is not a duration"},
        BadFile{Pool("keep = { jobs = -1 }"), "pools.p.keep.jobs: -1 is not from"},
        BadFile{Pool("keep_dead = { bytes = \"2TiB\" }"),
                "pools.p.keep_dead.bytes: \"2TiB\" is not from"},
        BadFile{Command("no_retry_exit = 0"), "handlers.h.no_retry_exit: 0 is not from 1 to 255"},
        BadFile{Command("no_retry_exit = 256"),
                "handlers.h.no_retry_exit: 256 is not from 1 to 255"},
        BadFile{Command("timeout = \"31d\""), "handlers.h.timeout: \"31d\" is not from 0s to 30d"},
        BadFile{Command("kill_grace = \"2h\""),
                "handlers.h.kill_grace: \"2h\" is not from 0s to 1h"},
        BadFile{Command("max_active = -1"), "w.toml:5:14: handlers.h.max_active: -1 is not from 0"},
        BadFile{Command("max_active = 100001"),
                "handlers.h.max_active: 100001 is not from 0 to 100000"},
        BadFile{Command("max_attempts = 0"), "handlers.h.max_attempts: 0 is not from 1"}));

INSTANTIATE_TEST_SUITE_P(
    Later, BadConfig,
    testing::Values(
        BadFile{
            "[store]\nkind = \"disk\"",
            "w.toml:2:8: store.kind: \"disk\" is not served by this version yet; the only kind is "
            "\"memory\""},
        BadFile{"[store]\nkind = \"postgres\"", "\"postgres\" is not served by this version yet"},
        BadFile{"[store]\npath = \"/x\"", "store.path: is not served by this version yet"},
        BadFile{Pool("backlog = 1000000"),
                "w.toml:2:11: pools.p.backlog: is not served by this version yet"},
        BadFile{Pool("backlog_bytes = \"1GiB\""), "pools.p.backlog_bytes: is not served"},
        BadFile{Pool("remote = true"), "pools.p.remote: is not served"},
        BadFile{Pool("open = true"), "pools.p.open: is not served"},
        BadFile{Pool("lease = \"30s\""), "pools.p.lease: is not served"},
        BadFile{Command("queue_ttl = \"1s\""), "w.toml:5:13: handlers.h.queue_ttl: is not served"},
        BadFile{Command("max_attempts = 10"),
                "w.toml:5:16: handlers.h.max_attempts: other than 1 is not served"},
        BadFile{Command("backoff = { kind = \"fixed\" }"), "handlers.h.backoff: is not served"},
        BadFile{"[pools.p]\n[handlers.h]\npool = 'p'\nhttp = 'http://x'",
                "w.toml:4:8: handlers.h.http: is not served"}));

INSTANTIATE_TEST_SUITE_P(
    CrossChecks, BadConfig,
    testing::Values(
        BadFile{"[handlers.h]\nexec = ['a']", "w.toml:1:1: handlers.h.pool: is missing"},
        BadFile{"[handlers.h]\npool = 'defualt'\nexec = ['a']",
                "w.toml:2:8: handlers.h.pool: no [pools.defualt] in this file; did you mean "
                "\"default\"?"},
        BadFile{"[handlers.h]\npool = 'default'",
                "w.toml:1:1: handlers.h.exec: is missing: a handler has exec, unless a C++"},
        BadFile{"[handlers.h]\npool = 'default'\nexec = []",
                "handlers.h.exec: must hold at least the program"},
        BadFile{"[handlers.h]\npool = 'default'\nexec = ['']",
                "handlers.h.exec: must hold at least the program"},
        BadFile{"[handlers.h]\npool = 'default'\nexec = [\"a\\u0000b\"]",
                "handlers.h.exec: holds a string, must be an array of strings without NUL"},
        BadFile{"[handlers.resize]\npool = 'default'\nexec = ['a']",
                "w.toml:3:8: handlers.resize.exec: a C++ handler of this name exists already"},
        BadFile{"[handlers.resize]\npool = 'default'\ncwd = '/'",
                "handlers.resize.cwd: goes only with exec"},
        BadFile{"[server]\nbuiltin_handlers = false\n[handlers.echo]\npool = 'default'",
                "handlers.echo.exec: is missing"},
        BadFile{Command("env = { WORKPOOL_JOB = 'x' }"),
                "handlers.h.env.WORKPOOL_JOB: the daemon itself sets"},
        BadFile{Command("env = { \"A=B\" = 'x' }"),
                "w.toml:5:17: handlers.h.env.\"A=B\": the name of a variable"},
        BadFile{"[pools.\"a b\"]",
                "w.toml:1:1: pools.\"a b\": the name of a pool: \"a b\" is not a name"},
        BadFile{"[pools.\"../x\"]", "is not a name: 1 to 100 of"},
        BadFile{"[pools.\"\"]", "is not a name"},
        BadFile{"[handlers.\"\\u0436\"]\npool = 'default'\nexec = ['a']", "the name of a handler"},
        BadFile{Server("listen = \"0.0.0.0:7650\""),
                "w.toml:2:10: server.listen: \"0.0.0.0:7650\": listens beyond this machine"},
        BadFile{Server("http = \"[::]:7651\""),
                "w.toml:2:8: server.http: \"[::]:7651\": listens beyond this machine"},
        BadFile{Server("http = \"unix:/tmp/x\""), "server.http: \"unix:/tmp/x\": this port takes"},
        BadFile{Server("listen = \"localhost\""),
                "server.listen: \"localhost\": an address is HOST:PORT"}));

TEST(ConfigReader, ShowsEverythingThatIsWrongInTheOrderOfTheFile) {
  const auto config = Parse("[server]\ngrase = 1\n[pools.p]\nworkers = 0\ncapacity = -1\n");
  ASSERT_FALSE(config);
  EXPECT_THAT(config.error().message,
              testing::MatchesRegex("w.toml:2:1: .*\nw.toml:4:11: .*\nw.toml:5:12: [^\n]*"));
}

TEST(ConfigReader, CutsALongListOfProblems) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "k" + std::to_string(i) + " = 1\n";
  const auto config = Parse(text);
  ASSERT_FALSE(config);
  EXPECT_THAT(config.error().message, testing::EndsWith("\n... 30 more"));
}

}  // namespace
}  // namespace workpool
