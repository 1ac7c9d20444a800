// Blocking and asynchronous calls of the client, against a daemon that the test scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <stop_token>
#include <thread>

#include "fakes/fake_workpool_server.h"
#include "workpool/client.h"

namespace workpool::client {
namespace {

using fakes::FakeWorkpoolServer;
using fakes::QueueFull;
using std::chrono::milliseconds;
using std::chrono::seconds;

class CallsTest : public ::testing::Test {
 protected:
  static Work Echo(std::string payload) {
    Work work;
    work.handler = "echo";
    work.payload = std::move(payload);
    return work;
  }
  // Refuses the first `count` posts.
  void BeFull(int count, int retry_after_ms = 1) {
    server_.set_judge([count, retry_after_ms](const v1::Work&) mutable {
      return count-- > 0 ? std::optional(QueueFull(retry_after_ms)) : std::nullopt;
    });
  }

  FakeWorkpoolServer server_;
  Client client_{{.server = server_.address()}};
};

TEST_F(CallsTest, PostsEveryField) {
  Work work = Echo(std::string("a\0b", 3));
  work.pool = "other";
  work.content_type = "text/plain";
  work.caller = "me";
  work.priority = 0;
  work.weight = 3;
  work.timeout = milliseconds(1500);
  work.metadata = {{"k", "v"}, {"traceparent", "00-1"}};
  work.when_full = WhenFull::kWait;
  work.wait_timeout = seconds(2);
  const auto posted = client_.Post(work);
  ASSERT_TRUE(posted) << posted.error().message;
  EXPECT_EQ(posted->id, 1U);
  EXPECT_FALSE(posted->duplicate);
  const v1::Work seen = server_.works().at(0);
  EXPECT_EQ(seen.handler(), "echo");
  EXPECT_EQ(seen.pool(), "other");
  EXPECT_EQ(seen.payload(), std::string("a\0b", 3));
  EXPECT_EQ(seen.content_type(), "text/plain");
  EXPECT_EQ(seen.caller(), "me");
  ASSERT_TRUE(seen.has_priority());
  EXPECT_EQ(seen.priority(), 0U);
  EXPECT_EQ(seen.weight(), 3U);
  EXPECT_EQ(seen.timeout().seconds(), 1);
  EXPECT_EQ(seen.timeout().nanos(), 500'000'000);
  EXPECT_EQ(seen.metadata().at("k"), "v");
  EXPECT_EQ(seen.when_full(), v1::WHEN_FULL_WAIT);
  EXPECT_EQ(seen.wait_timeout().seconds(), 2);
}

TEST_F(CallsTest, LeavesUnsetWhatIsNotGiven) {
  ASSERT_TRUE(client_.Post(Echo("")));
  const v1::Work seen = server_.works().at(0);
  EXPECT_FALSE(seen.has_priority());
  EXPECT_FALSE(seen.has_weight());
  EXPECT_FALSE(seen.has_timeout());
  EXPECT_FALSE(seen.has_wait_timeout());
  EXPECT_EQ(seen.when_full(), v1::WHEN_FULL_UNSPECIFIED);
}

TEST_F(CallsTest, RunsAndShowsTheJob) {
  const auto job = client_.Run(Echo("hello"));
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job->state, JobState::kSucceeded);
  EXPECT_EQ(job->result, "hello");
  EXPECT_EQ(job->pool, "default");
  EXPECT_EQ(job->run_time, milliseconds(250));
  ASSERT_TRUE(job->accepted_at && job->finished_at);
  EXPECT_EQ(*job->finished_at - *job->accepted_at, seconds(1));
}

TEST_F(CallsTest, AFailedJobIsAnAnswer) {
  Work work = Echo("boom");
  work.handler = "fail";
  const auto job = client_.PostAndWait(work);
  ASSERT_TRUE(job);
  EXPECT_EQ(job->state, JobState::kDead);
  ASSERT_TRUE(job->error);
  EXPECT_EQ(job->error->code, "FAILED");
  EXPECT_EQ(job->error->message, "boom");
}

TEST_F(CallsTest, GetsAndWaits) {
  const auto id = client_.Post(Echo("p"))->id;
  EXPECT_EQ(client_.Get(id)->payload, "");
  EXPECT_EQ(client_.Get(id, true)->payload, "p");
  EXPECT_EQ(client_.Wait(id)->result, "p");
}

TEST_F(CallsTest, AnUnknownJobIsNotFoundWithAReason) {
  const auto job = client_.Get(77);
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().code, StatusCode::kNotFound);
  EXPECT_EQ(job.error().reason, "UNKNOWN_JOB");
  EXPECT_EQ(job.error().message, "there is no such job");
  EXPECT_FALSE(job.error().MayHaveBeenAccepted());
}

TEST_F(CallsTest, PostsABatchAndAnswersEachItem) {
  server_.set_judge([](const v1::Work& work) {
    return work.payload() == "b" ? std::optional(QueueFull(20)) : std::nullopt;
  });
  const std::vector<Work> works = {Echo("a"), Echo("b"), Echo("c")};
  const auto outcomes = client_.PostBatch(works);
  ASSERT_TRUE(outcomes);
  ASSERT_EQ(outcomes->size(), 3U);
  EXPECT_TRUE((*outcomes)[0]);
  EXPECT_EQ((*outcomes)[1].error().reason, "QUEUE_FULL");
  EXPECT_EQ((*outcomes)[1].error().retry_after, milliseconds(20));
  EXPECT_TRUE((*outcomes)[2]);
}

TEST_F(CallsTest, TriesTheRefusedItemsOfABatchAgain) {
  BeFull(2);
  const std::vector<Work> works = {Echo("a"), Echo("b"), Echo("c")};
  const auto outcomes = client_.PostBatch(works, {.attempts = 2});
  ASSERT_TRUE(outcomes);
  for (const auto& outcome : *outcomes) EXPECT_TRUE(outcome);
  EXPECT_EQ(server_.works().size(), 5U);
}

TEST_F(CallsTest, ReportsAFullPoolAndItsPushBack) {
  BeFull(1, 40);
  const auto posted = client_.Post(Echo("a"));
  ASSERT_FALSE(posted);
  EXPECT_EQ(posted.error().code, StatusCode::kResourceExhausted);
  EXPECT_EQ(posted.error().reason, "QUEUE_FULL");
  EXPECT_EQ(posted.error().retry_after, milliseconds(40));
  EXPECT_EQ(server_.works().size(), 1U);
}

TEST_F(CallsTest, TriesAgainOnlyWhenAsked) {
  BeFull(2);
  EXPECT_TRUE(client_.Post(Echo("a"), {.attempts = 3}));
  EXPECT_EQ(server_.works().size(), 3U);
}

TEST_F(CallsTest, GivesUpAfterItsAttempts) {
  BeFull(100);
  const auto posted = client_.Post(Echo("a"), {.attempts = 3});
  ASSERT_FALSE(posted);
  EXPECT_EQ(posted.error().reason, "QUEUE_FULL");
  EXPECT_EQ(server_.works().size(), 3U);
}

TEST_F(CallsTest, DoesNotPausePastItsDeadline) {
  BeFull(100, 900);
  const auto start = std::chrono::steady_clock::now();
  const auto posted = client_.Post(Echo("a"), {.timeout = milliseconds(800), .attempts = 50});
  ASSERT_FALSE(posted);
  EXPECT_EQ(posted.error().reason, "QUEUE_FULL");
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(800));
}

TEST_F(CallsTest, NeverTriesAnythingElseAgain) {
  for (const auto code : {grpc::StatusCode::UNAVAILABLE, grpc::StatusCode::DEADLINE_EXCEEDED,
                          grpc::StatusCode::RESOURCE_EXHAUSTED}) {
    server_.set_judge([code](const v1::Work&) { return fakes::Refusal(code, "", "bare"); });
    const std::size_t before = server_.works().size();
    const auto posted = client_.Post(Echo("a"), {.attempts = 5});
    ASSERT_FALSE(posted);
    EXPECT_EQ(server_.works().size(), before + 1);
  }
}

TEST_F(CallsTest, ABareUnavailableMayHaveBeenAccepted) {
  server_.set_judge(
      [](const v1::Work&) { return fakes::Refusal(grpc::StatusCode::UNAVAILABLE, "", "gone"); });
  EXPECT_TRUE(client_.Post(Echo("a")).error().MayHaveBeenAccepted());
  server_.set_judge([](const v1::Work&) {
    return fakes::Refusal(grpc::StatusCode::UNAVAILABLE, "DRAINING", "draining");
  });
  EXPECT_FALSE(client_.Post(Echo("a")).error().MayHaveBeenAccepted());
}

TEST_F(CallsTest, KeepsItsDeadline) {
  server_.Hold();
  const auto job = client_.Wait(1, {.timeout = milliseconds(50)});
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().code, StatusCode::kDeadlineExceeded);
  EXPECT_EQ(job.error().reason, "");
}

TEST_F(CallsTest, EndsWhenItsTokenIsTriggered) {
  server_.Hold();
  std::stop_source stop;
  auto job = std::async(std::launch::async,
                        [&] { return client_.Run(Echo("x"), {.stop = stop.get_token()}); });
  ASSERT_TRUE(server_.AwaitWorks(1));
  stop.request_stop();
  const auto ended = job.get();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, StatusCode::kCancelled);
}

TEST_F(CallsTest, CallsBackWhenAnAsynchronousCallEnds) {
  std::promise<Result<Job>> ran;
  client_.RunAsync(Echo("later"), [&](Result<Job> job) { ran.set_value(std::move(job)); });
  const auto job = ran.get_future().get();
  ASSERT_TRUE(job);
  EXPECT_EQ(job->result, "later");
  std::promise<Result<Job>> waited;
  client_.WaitAsync(job->id, [&](Result<Job> seen) { waited.set_value(std::move(seen)); });
  EXPECT_TRUE(waited.get_future().get());
  std::promise<Result<BatchResult>> batch;
  const std::vector<Work> works = {Echo("a"), Echo("b")};
  client_.PostBatchAsync(works,
                         [&](Result<BatchResult> seen) { batch.set_value(std::move(seen)); });
  EXPECT_EQ(batch.get_future().get()->size(), 2U);
}

TEST_F(CallsTest, ClosingWaitsForAsynchronousCalls) {
  server_.Hold();
  std::atomic<bool> ended = false;
  client_.RunAsync(Echo("x"), [&](const Result<Job>& job) { ended = job.has_value(); });
  std::jthread releaser([&] {
    ASSERT_TRUE(server_.AwaitWorks(1));
    server_.Release();
  });
  client_.Close();
  EXPECT_TRUE(ended);
  EXPECT_EQ(client_.Post(Echo("x")).error().code, StatusCode::kCancelled);
  std::promise<Result<Job>> late;
  client_.RunAsync(Echo("x"), [&](Result<Job> job) { late.set_value(std::move(job)); });
  EXPECT_EQ(late.get_future().get().error().code, StatusCode::kCancelled);
}

TEST_F(CallsTest, DestructionEndsWhatIsUnderWay) {
  server_.Hold();
  std::promise<Result<Job>> ended;
  {
    Client other({.server = server_.address()});
    other.WaitAsync(1, [&](Result<Job> job) { ended.set_value(std::move(job)); });
  }
  EXPECT_EQ(ended.get_future().get().error().code, StatusCode::kCancelled);
}

TEST_F(CallsTest, ListsInPages) {
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(client_.Post(Echo("x")));
  std::vector<std::uint64_t> ids;
  std::string token;
  do {
    const auto page = client_.List({.handler = "echo"}, 2, token);
    ASSERT_TRUE(page);
    for (const Job& job : page->jobs) ids.push_back(job.id);
    token = page->next_page_token;
  } while (!token.empty());
  EXPECT_THAT(ids, ::testing::ElementsAre(5, 4, 3, 2, 1));
  EXPECT_TRUE(client_.List({.states = {JobState::kQueued}})->jobs.empty());
}

TEST_F(CallsTest, CancelsByIdAndSaysWhichAreUnknown) {
  const auto id = client_.Post(Echo("x"))->id;
  const std::vector<std::uint64_t> ids = {id, 99};
  const auto cancelled = client_.Cancel(ids);
  ASSERT_TRUE(cancelled);
  EXPECT_EQ(cancelled->cancelled, 1U);
  EXPECT_THAT(cancelled->not_found, ::testing::ElementsAre(99));
}

TEST_F(CallsTest, FindsNobodyAtAnAddressThatNobodyListensOn) {
  const std::string address = server_.address();
  server_.Stop();
  Client lost({.server = address});
  const auto posted = lost.Post(Echo("x"));
  ASSERT_FALSE(posted);
  EXPECT_EQ(posted.error().code, StatusCode::kUnavailable);
  EXPECT_EQ(posted.error().reason, "");
}

}  // namespace
}  // namespace workpool::client
