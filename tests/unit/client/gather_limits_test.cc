// Posts that gather: deadlines, abandoning, trying again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <vector>

#include "fakes/fake_workpool_server.h"
#include "workpool/client.h"

namespace workpool::client {
namespace {

using fakes::FakeWorkpoolServer;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Stream = FakeWorkpoolServer::Stream;

Work Echo(std::string payload) {
  Work work;
  work.handler = "echo";
  work.payload = std::move(payload);
  return work;
}

class GatherLimitsTest : public ::testing::Test {
 protected:
  // Accepts nothing; what is abandoned ends as the daemon says.
  void WaitForRoom() {
    server_.set_on_stream([this](grpc::ServerContext&, Stream& stream) {
      v1::PostWorkStreamRequest request;
      while (stream.Read(&request)) {
        server_.Note(request);
        v1::PostWorkStreamResponse response;
        for (const std::uint64_t sequence : request.abandon()) {
          v1::PostResult& result = *response.add_results();
          result = fakes::Refusal(grpc::StatusCode::CANCELLED, "", "abandoned");
          result.set_sequence(sequence);
        }
        if (response.results_size() > 0) stream.Write(response);
      }
      return grpc::Status::OK;
    });
  }
  std::pair<PostTicket, std::future<Result<Posted>>> Post(Work work,
                                                          const PostOptions& options = {}) {
    auto promise = std::make_shared<std::promise<Result<Posted>>>();
    auto future = promise->get_future();
    const PostTicket ticket = client_.PostAsync(
        std::move(work),
        [promise](Result<Posted> outcome) { promise->set_value(std::move(outcome)); }, options);
    return {ticket, std::move(future)};
  }

  FakeWorkpoolServer server_;
  Client client_{{.server = server_.address()}};
};

TEST_F(GatherLimitsTest, AnAbandonedWaitEndsCancelled) {
  WaitForRoom();
  auto [first, first_end] = Post(Echo("a"));
  auto [second, second_end] = Post(Echo("b"));
  ASSERT_TRUE(server_.AwaitMessages(1));
  client_.Abandon(first);
  const auto ended = first_end.get();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, StatusCode::kCancelled);
  client_.Abandon(second);
  EXPECT_EQ(second_end.get().error().code, StatusCode::kCancelled);
  client_.Abandon(first);
}

TEST_F(GatherLimitsTest, ATimeoutEndsAWaitWithItsReason) {
  WaitForRoom();
  const auto start = std::chrono::steady_clock::now();
  const auto ended = Post(Echo("a"), {.timeout = milliseconds(1000)}).second.get();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, StatusCode::kDeadlineExceeded);
  EXPECT_EQ(ended.error().reason, "WAIT_TIMEOUT");
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(900));
}

TEST_F(GatherLimitsTest, ATimeoutEndsAPostThatTheDaemonDoesNotRead) {
  server_.Hold();
  const auto start = std::chrono::steady_clock::now();
  auto [first, first_end] = Post(Echo("a"), {.timeout = milliseconds(60)});
  auto [second, second_end] = Post(Echo("b"), {.timeout = milliseconds(120)});
  auto patient = Post(Echo("c")).second;
  EXPECT_EQ(first_end.get().error().code, StatusCode::kDeadlineExceeded);
  EXPECT_EQ(second_end.get().error().code, StatusCode::kDeadlineExceeded);
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(120));
  server_.Release();
  EXPECT_TRUE(patient.get());
}

TEST_F(GatherLimitsTest, AWaitForRoomIsToldToTheDaemonShorterThanTheTimeout) {
  Work work = Echo("a");
  work.when_full = WhenFull::kWait;
  ASSERT_TRUE(Post(work, {.timeout = seconds(10)}).second.get());
  work.wait_timeout = seconds(3);
  ASSERT_TRUE(Post(work, {.timeout = seconds(10)}).second.get());
  const auto works = server_.works();
  EXPECT_EQ(works.at(0).wait_timeout().seconds(), 9);
  EXPECT_EQ(works.at(0).wait_timeout().nanos(), 900'000'000);
  EXPECT_EQ(works.at(1).wait_timeout().seconds(), 3);
}

TEST_F(GatherLimitsTest, TriesAgainWhenThePoolWasFull) {
  int refusals = 40;
  server_.set_judge([&](const v1::Work&) {
    return refusals-- > 0 ? std::optional(fakes::QueueFull(2)) : std::nullopt;
  });
  std::vector<std::future<Result<Posted>>> posts;
  for (int i = 0; i < 20; ++i) {
    posts.push_back(Post(Echo(std::to_string(i)), {.attempts = 50}).second);
  }
  for (auto& post : posts) EXPECT_TRUE(post.get());
  EXPECT_EQ(server_.works().size(), 60U);
}

TEST_F(GatherLimitsTest, DoesNotTryAgainUnlessAsked) {
  server_.set_judge([](const v1::Work&) { return fakes::QueueFull(1); });
  EXPECT_EQ(Post(Echo("a")).second.get().error().reason, "QUEUE_FULL");
  EXPECT_EQ(server_.works().size(), 1U);
}

TEST_F(GatherLimitsTest, ClosingEndsWhatWaitsForAnotherTry) {
  server_.set_judge([](const v1::Work&) { return fakes::QueueFull(900); });
  auto post = Post(Echo("a"), {.attempts = 50}).second;
  ASSERT_TRUE(server_.AwaitMessages(1));
  client_.Close();
  EXPECT_EQ(post.get().error().reason, "QUEUE_FULL");
}

TEST_F(GatherLimitsTest, ClosingKeepsDeadlines) {
  WaitForRoom();
  auto post = Post(Echo("a"), {.timeout = milliseconds(100)}).second;
  client_.Close();
  EXPECT_EQ(post.get().error().code, StatusCode::kDeadlineExceeded);
}

TEST_F(GatherLimitsTest, AbandoningRacesWithAnswers) {
  std::atomic<int> ended = 0;
  std::vector<PostTicket> tickets;
  for (int i = 0; i < 2000; ++i) {
    tickets.push_back(client_.PostAsync(Echo("x"), [&](const Result<Posted>& posted) {
      if (!posted) {
        EXPECT_EQ(posted.error().code, StatusCode::kCancelled);
      }
      ++ended;
    }));
    if (i % 3 == 0) client_.Abandon(tickets[static_cast<std::size_t>(i / 2)]);
  }
  client_.Close();
  EXPECT_EQ(ended, 2000);
}

}  // namespace
}  // namespace workpool::client
