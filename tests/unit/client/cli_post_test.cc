// workpool post, workpool run
#include <gmock/gmock.h>

#include "run_cli.h"

namespace workpool::cli {
namespace {

using ::testing::HasSubstr;

using CliPostTest = CliTest;

TEST_F(CliPostTest, PrintsTheId) {
  const Ran ran = Run({"post", "echo", "--data", "hello"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, "1\n");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(server_.works().at(0).payload(), "hello");
}

TEST_F(CliPostTest, WaitsAndPrintsTheResult) {
  EXPECT_EQ(Run({"post", "echo", "--data", "hello", "--wait"}).out, "hello\n");
  EXPECT_EQ(Run({"post", "echo", "--data", "hello\n", "--wait"}).out, "hello\n");
  EXPECT_EQ(Run({"post", "echo", "--data", "hello", "--wait", "--raw"}).out, "hello");
  EXPECT_EQ(Run({"run", "echo", "--data", "hello"}).out, "hello\n");
}

TEST_F(CliPostTest, TakesThePayloadFromAFileOrStandardInput) {
  const std::string bytes("a\0\xff\n", 4);
  const std::string path = File("payload.bin", bytes);
  EXPECT_EQ(Run({"run", "echo", "--file", path, "--raw"}).out, bytes);
  EXPECT_EQ(Run({"run", "echo", "--file", "-", "--raw"}, bytes).out, bytes);
  EXPECT_EQ(Run({"post", "echo", "--payload-file", path, "--wait", "--raw"}).out, bytes);
}

TEST_F(CliPostTest, APayloadFileMayHaveAnyName) {
  const std::string path = File("jobs.jsonl", "not json");
  EXPECT_EQ(Run({"post", "echo", "--payload-file", path, "--wait"}).out, "not json\n");
  EXPECT_EQ(Run({"run", "echo", "--file", path}).out, "not json\n");
}

TEST_F(CliPostTest, PassesItsOptionsOn) {
  const Ran ran = Run({"post",           "echo",  "--pool",   "p",  "--priority",     "9",
                       "--timeout",      "1.5s",  "--caller", "me", "--content-type", "text/plain",
                       "--meta",         "a=b=c", "--meta",   "d=", "--when-full",    "wait",
                       "--wait-timeout", "2s",    "--weight", "4"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const v1::Work work = server_.works().at(0);
  EXPECT_EQ(work.pool(), "p");
  EXPECT_EQ(work.priority(), 9U);
  EXPECT_EQ(work.weight(), 4U);
  EXPECT_EQ(work.timeout().nanos(), 500'000'000);
  EXPECT_EQ(work.caller(), "me");
  EXPECT_EQ(work.content_type(), "text/plain");
  EXPECT_EQ(work.metadata().at("a"), "b=c");
  EXPECT_EQ(work.metadata().at("d"), "");
  EXPECT_EQ(work.when_full(), v1::WHEN_FULL_WAIT);
  EXPECT_EQ(work.wait_timeout().seconds(), 2);
}

TEST_F(CliPostTest, AWaitTimeoutDoesNotGoWithWhenFullReject) {
  for (const std::string command : {"post", "run"}) {
    const Ran ran = Run({command, "echo", "--when-full", "reject", "--wait-timeout", "1s"});
    EXPECT_EQ(ran.exit, 2);
    EXPECT_EQ(ran.err,
              "workpool: --wait-timeout: bounds the wait for room, so it does not go with "
              "--when-full reject (see workpool " +
                  command + " --help)\n");
  }
  EXPECT_TRUE(server_.works().empty());
  // The pool may say to wait.
  EXPECT_EQ(Run({"run", "echo", "--wait-timeout", "1s"}).exit, 0);
  EXPECT_EQ(Run({"run", "echo", "--wait-timeout", "1s", "--when-full", "wait"}).exit, 0);
}

TEST_F(CliPostTest, SaysWhenToTryAgain) {
  server_.set_judge([](const v1::Work&) { return fakes::QueueFull(120); });
  EXPECT_EQ(Run({"post", "echo"}).err,
            "workpool: the pool is full (QUEUE_FULL): try again in 120ms, or use --retry\n");
  EXPECT_EQ(Run({"run", "echo"}).err,
            "workpool: the pool is full (QUEUE_FULL): try again in 120ms\n");
}

TEST_F(CliPostTest, PrintsJson) {
  const auto posted = Run({"post", "echo", "--json"}).Json();
  EXPECT_EQ(posted["id"], "1");
  const auto job = Run({"post", "echo", "--data", "hello", "--wait", "--json"}).Json();
  EXPECT_EQ(job["id"], "2");
  EXPECT_EQ(job["state"], "SUCCEEDED");
  EXPECT_EQ(job["result"], "hello");
  EXPECT_EQ(job["run_seconds"], 0.25);
  EXPECT_EQ(job["accepted_at"], "2023-11-14T22:13:20.000000Z");
}

TEST_F(CliPostTest, AFailedJobIsOneLineAndExitOne) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"post", "fail", "--data", "boom", "--wait"},
        {"run", "fail", "--data", "boom"}}) {
    const Ran ran = Run(command);
    EXPECT_EQ(ran.exit, 1);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, HasSubstr("is DEAD: FAILED: boom\n"));
  }
  const Ran json = Run({"run", "fail", "--data", "boom", "--json"});
  EXPECT_EQ(json.exit, 1);
  EXPECT_EQ(json.Json()["state"], "DEAD");
  EXPECT_EQ(json.Json()["error"]["message"], "boom");
}

TEST_F(CliPostTest, ExitsFourWhenThePoolIsFull) {
  server_.set_judge([](const v1::Work&) { return fakes::QueueFull(20); });
  const Ran ran = Run({"post", "echo"});
  EXPECT_EQ(ran.exit, 4);
  EXPECT_EQ(ran.err,
            "workpool: the pool is full (QUEUE_FULL): try again in 20ms, or use --retry\n");
  const Ran json = Run({"post", "echo", "--json"});
  EXPECT_EQ(json.exit, 4);
  const auto error = nlohmann::json::parse(json.err)["error"];
  EXPECT_EQ(error["reason"], "QUEUE_FULL");
  EXPECT_EQ(error["retry_after_ms"], 20);
}

TEST_F(CliPostTest, TriesAgainWithRetry) {
  int refusals = 3;
  server_.set_judge([&](const v1::Work&) {
    return refusals-- > 0 ? std::optional(fakes::QueueFull(1)) : std::nullopt;
  });
  EXPECT_EQ(Run({"post", "echo", "--retry"}).exit, 0);
  EXPECT_EQ(server_.works().size(), 4U);
}

struct Refused {
  grpc::StatusCode code;
  const char* reason;
  int exit;
};

TEST_F(CliPostTest, HasAnExitStatusForEachKindOfRefusal) {
  using grpc::StatusCode;
  for (const Refused& refused :
       std::initializer_list<Refused>{{StatusCode::NOT_FOUND, "UNKNOWN_HANDLER", 5},
                                      {StatusCode::NOT_FOUND, "UNKNOWN_POOL", 5},
                                      {StatusCode::RESOURCE_EXHAUSTED, "KEYS_FULL", 4},
                                      {StatusCode::RESOURCE_EXHAUSTED, "", 6},
                                      {StatusCode::INVALID_ARGUMENT, "BAD_FIELD", 2},
                                      {StatusCode::INVALID_ARGUMENT, "PAYLOAD_TOO_LARGE", 6},
                                      {StatusCode::UNAVAILABLE, "DRAINING", 6},
                                      {StatusCode::UNAVAILABLE, "STORE_UNAVAILABLE", 6},
                                      {StatusCode::DEADLINE_EXCEEDED, "WAIT_TIMEOUT", 6},
                                      {StatusCode::UNIMPLEMENTED, "NOT_SERVED", 6},
                                      {StatusCode::UNAVAILABLE, "", 3}}) {
    server_.set_judge(
        [&](const v1::Work&) { return fakes::Refusal(refused.code, refused.reason, "because"); });
    const Ran ran = Run({"post", "echo"});
    EXPECT_EQ(ran.exit, refused.exit) << refused.reason;
    EXPECT_THAT(ran.err, HasSubstr("because"));
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1);
  }
}

TEST_F(CliPostTest, SaysWhichFileItCannotRead) {
  const Ran ran = Run({"post", "echo", "--file", folder_ + "/none"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("/none: No such file or directory"));
  EXPECT_TRUE(server_.works().empty());
}

TEST_F(CliPostTest, ARunEndsAtItsDeadline) {
  server_.Hold();
  const Ran ran = Run({"run", "echo", "--deadline", "50ms"});
  EXPECT_EQ(ran.exit, 6);
  EXPECT_THAT(ran.err, HasSubstr("within the deadline"));
}

}  // namespace
}  // namespace workpool::cli
