// workpool post HANDLER --file jobs.jsonl, workpool bench
#include <gmock/gmock.h>

#include "run_cli.h"

namespace workpool::cli {
namespace {

using ::testing::HasSubstr;

class CliBulkTest : public CliTest {
 protected:
  static std::string Lines(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "{\"payload\": \"" + std::to_string(i) + "\"}\n";
    return text;
  }
};

TEST_F(CliBulkTest, PostsAJobForEachLineInOrder) {
  const Ran ran = Run({"post", "echo", "--file", File("jobs.jsonl", Lines(2500)), "--pool", "p"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("2500 accepted, 0 rejected in "));
  EXPECT_EQ(ran.err, "");
  const auto works = server_.works();
  ASSERT_EQ(works.size(), 2500U);
  for (std::size_t i = 0; i < works.size(); ++i) {
    EXPECT_EQ(works[i].payload(), std::to_string(i));
    EXPECT_EQ(works[i].pool(), "p");
  }
}

TEST_F(CliBulkTest, PostsNothingIfALineIsWrong) {
  const std::string path = File("jobs.jsonl", Lines(2000) + "{\"priority\": 12}\n");
  const Ran ran = Run({"post", "echo", "--file", path});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.err,
            "workpool: " + path + ":2001: \"priority\" must be a whole number from 0 to 9\n");
  EXPECT_TRUE(server_.works().empty());
}

TEST_F(CliBulkTest, CountsWhatFindsNoRoomAndExitsFour) {
  int posts = 0;
  server_.set_judge([&](const v1::Work&) {
    return ++posts % 2 == 0 ? std::optional(fakes::QueueFull()) : std::nullopt;
  });
  const Ran ran = Run({"post", "echo", "--file", File("jobs.jsonl", Lines(100)), "--json"});
  EXPECT_EQ(ran.exit, 4) << ran.err;
  EXPECT_EQ(ran.Json()["jobs"], 100);
  EXPECT_EQ(ran.Json()["accepted"], 50);
  EXPECT_EQ(ran.Json()["rejected"], 50);
  ASSERT_EQ(ran.Json()["refused"].size(), 50U);
  EXPECT_EQ(
      ran.Json()["refused"][1],
      nlohmann::json({{"line", 4}, {"reason", "QUEUE_FULL"}, {"message", "the pool is full"}}));
  EXPECT_EQ(ran.err, "");
}

TEST_F(CliBulkTest, NamesTheFirstRefusedLinesAndCountsTheRest) {
  server_.set_judge([](const v1::Work&) { return fakes::QueueFull(); });
  const std::string path = File("jobs.jsonl", Lines(1003));
  const Ran ran = Run({"post", "echo", "--file", path});
  EXPECT_EQ(ran.exit, 4);
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 11) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(path + ":10: the pool is full (QUEUE_FULL)\n"));
  EXPECT_THAT(ran.err, HasSubstr("workpool: ... and 993 more\n"));
  EXPECT_EQ(Run({"post", "echo", "--file", path, "--json"}).Json()["refused"].size(), 1000U);
}

TEST_F(CliBulkTest, TriesAgainWithRetry) {
  int posts = 0;
  server_.set_judge([&](const v1::Work&) {
    return ++posts % 2 == 0 ? std::optional(fakes::QueueFull()) : std::nullopt;
  });
  const Ran ran =
      Run({"post", "echo", "--file", File("jobs.jsonl", Lines(100)), "--retry", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.Json()["accepted"], 100);
}

TEST_F(CliBulkTest, SaysWhichLinesWereRefused) {
  server_.set_judge([](const v1::Work& work) {
    return work.payload() == "3" ? std::optional(fakes::Refusal(grpc::StatusCode::INVALID_ARGUMENT,
                                                                "BAD_FIELD", "no threes"))
                                 : std::nullopt;
  });
  const std::string path = File("jobs.jsonl", Lines(10));
  const Ran ran = Run({"post", "echo", "--file", path});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.out, HasSubstr("9 accepted, 0 rejected, 1 refused"));
  EXPECT_EQ(ran.err, "workpool: " + path + ":4: no threes (BAD_FIELD)\n");
}

TEST_F(CliBulkTest, StopsWhenTheDaemonIsLost) {
  server_.set_on_stream([&](grpc::ServerContext&, fakes::FakeWorkpoolServer::Stream& stream) {
    v1::PostWorkStreamRequest request;
    stream.Read(&request);
    stream.Write(server_.AnswerAll(request));
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "gone");
  });
  const Ran ran = Run({"post", "echo", "--file", File("jobs.jsonl", Lines(20'000)), "--json"});
  EXPECT_EQ(ran.exit, 3);
  const auto json = ran.Json();
  EXPECT_GT(json["unknown"], 0);
  EXPECT_LT(json["posted"], 20'000);
  EXPECT_THAT(ran.err, HasSubstr("lost the daemon"));
}

TEST_F(CliBulkTest, AnEmptyFileIsDoneAtOnce) {
  const Ran ran = Run({"post", "echo", "--file", File("jobs.jsonl", "\n")});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_THAT(ran.out, HasSubstr("0 accepted"));
}

TEST_F(CliBulkTest, DoesNotWaitForMany) {
  EXPECT_EQ(Run({"post", "echo", "--wait", "--file", File("jobs.jsonl", Lines(1))}).exit, 2);
}

TEST_F(CliBulkTest, BenchCountsEveryPostInEveryMode) {
  for (const char* mode : {"unary", "batch", "stream", "gathered"}) {
    const std::string batch =
        std::string(mode) == "batch" || std::string(mode) == "stream" ? "7" : "1";
    const Ran ran = Run({"bench", "noop", "--jobs", "500", "--clients", "2", "--outstanding", "3",
                         "--mode", mode, "--batch", batch, "--payload", "10", "--json"});
    ASSERT_EQ(ran.exit, 0) << mode << ran.err;
    const auto json = ran.Json();
    EXPECT_EQ(json["accepted"], 500) << mode;
    EXPECT_EQ(json["rejected"], 0);
    EXPECT_EQ(json["finished"], 500);
    for (const char* key : {"posts_per_second", "finished_per_second", "post_p50_us", "post_p99_us",
                            "post_p999_us", "finish_p50_us", "finish_p99_us", "finish_p999_us"}) {
      EXPECT_GT(json[key], 0) << mode << " " << key;
    }
  }
  EXPECT_EQ(server_.works().size(), 2000U);
  EXPECT_EQ(server_.works().front().payload().size(), 10U);
}

TEST_F(CliBulkTest, BenchCountsRejections) {
  int posts = 0;
  server_.set_judge([&](const v1::Work&) {
    return ++posts % 4 == 0 ? std::optional(fakes::QueueFull()) : std::nullopt;
  });
  const Ran ran = Run({"bench", "noop", "--jobs", "400", "--batch", "10", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.Json()["mode"], "batch");
  EXPECT_EQ(ran.Json()["accepted"], 300);
  EXPECT_EQ(ran.Json()["rejected"], 100);
  EXPECT_EQ(ran.Json()["finished"], 300);
  const double accepted = ran.Json()["accepted_per_second"];
  EXPECT_NEAR(accepted / ran.Json()["posts_per_second"].get<double>(), 0.75, 0.001);
}

TEST_F(CliBulkTest, BenchSaysHowManyWereAcceptedPerSecond) {
  EXPECT_THAT(Run({"bench", "noop", "--jobs", "10"}).out,
              testing::ContainsRegex("posts     [0-9]+/s, [0-9]+/s accepted\n"));
}

}  // namespace
}  // namespace workpool::cli
