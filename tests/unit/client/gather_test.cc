// Posts that gather: order, answers, and what a lost stream does.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "fakes/eventually.h"
#include "fakes/fake_workpool_server.h"
#include "workpool/client.h"

namespace workpool::client {
namespace {

using fakes::FakeWorkpoolServer;

Work Echo(std::string payload) {
  Work work;
  work.handler = "echo";
  work.payload = std::move(payload);
  return work;
}

class GatherTest : public ::testing::Test {
 protected:
  FakeWorkpoolServer server_;
  Client client_{{.server = server_.address()}};
};

TEST_F(GatherTest, AnswersAPost) {
  const auto posted = client_.PostAsync(Echo("a")).get();
  ASSERT_TRUE(posted) << posted.error().message;
  EXPECT_EQ(posted->id, 1U);
  EXPECT_EQ(server_.works().at(0).payload(), "a");
}

TEST_F(GatherTest, AnswersARefusalOfOneItem) {
  server_.set_judge([](const v1::Work& work) {
    return work.payload() == "no" ? std::optional(fakes::QueueFull(30)) : std::nullopt;
  });
  auto good = client_.PostAsync(Echo("yes"));
  const auto refused = client_.PostAsync(Echo("no")).get();
  EXPECT_TRUE(good.get());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, StatusCode::kResourceExhausted);
  EXPECT_EQ(refused.error().reason, "QUEUE_FULL");
  EXPECT_EQ(refused.error().retry_after, std::chrono::milliseconds(30));
}

TEST_F(GatherTest, SendsFarFewerMessagesThanPosts) {
  constexpr int kPosts = 5000;
  std::vector<std::future<Result<Posted>>> posts;
  for (int i = 0; i < kPosts; ++i) posts.push_back(client_.PostAsync(Echo(std::to_string(i))));
  for (auto& post : posts) ASSERT_TRUE(post.get());
  const auto messages = server_.messages();
  EXPECT_LT(messages.size(), kPosts / 2);  // far fewer where the machine is idle
  // In order, and none twice.
  int next = 0;
  for (const auto& message : messages) {
    EXPECT_LE(message.work_size(), 1000);
    for (const auto& work : message.work()) EXPECT_EQ(work.payload(), std::to_string(next++));
  }
  EXPECT_EQ(next, kPosts);
  EXPECT_EQ(server_.streams(), 1);
}

TEST_F(GatherTest, GathersWhatCallbacksPost) {
  constexpr int kPosts = 4000;
  constexpr int kOutstanding = 64;
  std::atomic<int> left = kPosts;
  std::atomic<int> ended = 0;
  std::promise<void> all;
  std::function<void()> post = [&] {
    if (left.fetch_sub(1) <= 0) return;
    client_.PostAsync(Echo("x"), [&](const Result<Posted>& posted) {
      EXPECT_TRUE(posted);
      post();
      if (++ended == kPosts) all.set_value();
    });
  };
  // From a callback too: what this thread posts may go out one by one, as far as it is slow.
  client_.PostAsync(Echo("x"), [&](const Result<Posted>& posted) {
    EXPECT_TRUE(posted);
    for (int i = 0; i < kOutstanding; ++i) post();
  });
  all.get_future().get();
  EXPECT_LE(server_.messages().size(), 1 + kPosts / kOutstanding + 1);
}

TEST_F(GatherTest, ServesManyThreadsAndKeepsTheOrderOfEach) {
  constexpr int kThreads = 8;
  constexpr int kPosts = 1500;
  std::mutex mutex;
  std::map<std::uint64_t, int> ids;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kPosts; ++i) {
          client_.PostAsync(Echo(std::to_string(t) + "/" + std::to_string(i)),
                            [&](const Result<Posted>& posted) {
                              ASSERT_TRUE(posted);
                              const std::lock_guard lock(mutex);
                              ++ids[posted->id];
                            });
        }
      });
    }
  }
  client_.Close();
  EXPECT_EQ(ids.size(), std::size_t{kThreads * kPosts});
  std::map<std::string, int> next;
  for (const auto& work : server_.works()) {
    const std::size_t slash = work.payload().find('/');
    EXPECT_EQ(work.payload().substr(slash + 1),
              std::to_string(next[work.payload().substr(0, slash)]++));
  }
}

TEST_F(GatherTest, HasAStreamForEachPoolAndWhenFull) {
  Work other = Echo("b");
  other.pool = "other";
  Work waiting = Echo("c");
  waiting.when_full = WhenFull::kWait;
  for (const Work& work : {Echo("a"), other, waiting, Echo("d"), other}) {
    EXPECT_TRUE(client_.PostAsync(work).get());
  }
  EXPECT_EQ(server_.streams(), 3);
}

TEST_F(GatherTest, SharesStreamsWhereThereAreManyPools) {
  std::vector<std::future<Result<Posted>>> posts;
  for (int i = 0; i < 300; ++i) {
    Work work = Echo("x");
    work.pool = "pool" + std::to_string(i);
    posts.push_back(client_.PostAsync(work));
  }
  for (auto& post : posts) EXPECT_TRUE(post.get());
  EXPECT_LE(server_.streams(), 64);
}

TEST_F(GatherTest, EachItemKeepsItsOwnFields) {
  Work work = Echo("a");
  work.metadata = {{"k", "v"}};
  work.priority = 9;
  auto first = client_.PostAsync(work);
  auto second = client_.PostAsync(Echo("b"));
  EXPECT_TRUE(first.get());
  EXPECT_TRUE(second.get());
  const auto works = server_.works();
  EXPECT_EQ(works.at(0).metadata().at("k"), "v");
  EXPECT_EQ(works.at(0).priority(), 9U);
  EXPECT_TRUE(works.at(1).metadata().empty());
  EXPECT_FALSE(works.at(1).has_priority());
}

TEST_F(GatherTest, ALostStreamEndsItsPostsAndTheNextOneOpensAnother) {
  std::atomic<int> streams = 0;
  server_.set_on_stream([&](grpc::ServerContext&, FakeWorkpoolServer::Stream& stream) {
    const bool first = streams++ == 0;
    v1::PostWorkStreamRequest request;
    while (stream.Read(&request)) {
      server_.Note(request);
      if (first) return grpc::Status(grpc::StatusCode::INTERNAL, "it broke");
      stream.Write(server_.AnswerAll(request));
    }
    return grpc::Status::OK;
  });
  const auto lost = client_.PostAsync(Echo("a")).get();
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, StatusCode::kUnavailable);
  EXPECT_EQ(lost.error().message, "it broke");
  EXPECT_TRUE(lost.error().MayHaveBeenAccepted());
  EXPECT_TRUE(client_.PostAsync(Echo("b")).get());
  EXPECT_EQ(streams, 2);
}

TEST_F(GatherTest, EveryPostEndsOnceWhileStreamsBreak) {
  std::atomic<int> messages = 0;
  server_.set_on_stream([&](grpc::ServerContext&, FakeWorkpoolServer::Stream& stream) {
    v1::PostWorkStreamRequest request;
    while (stream.Read(&request)) {
      if (++messages % 3 == 0) return grpc::Status(grpc::StatusCode::UNAVAILABLE, "gone");
      stream.Write(server_.AnswerAll(request));
    }
    return grpc::Status::OK;
  });
  constexpr int kPosts = 3000;
  std::vector<std::atomic<int>> ends(kPosts);
  std::atomic<int> accepted = 0;
  for (int i = 0; i < kPosts; ++i) {
    client_.PostAsync(Echo("x"), [&, i](const Result<Posted>& posted) {
      ++ends[static_cast<std::size_t>(i)];
      if (posted) {
        ++accepted;
      } else {
        EXPECT_EQ(posted.error().code, StatusCode::kUnavailable);
      }
    });
  }
  client_.Close();
  for (const auto& count : ends) EXPECT_EQ(count, 1);
  EXPECT_EQ(static_cast<std::size_t>(accepted), server_.works().size());
}

TEST_F(GatherTest, FindsADaemonThatWasStartedAgain) {
  ASSERT_TRUE(client_.PostAsync(Echo("a")).get());
  server_.Stop();
  const auto down = client_.PostAsync(Echo("b")).get();
  ASSERT_FALSE(down);
  EXPECT_EQ(down.error().code, StatusCode::kUnavailable);
  server_.Restart();
  EXPECT_TRUE(Eventually([this] { return client_.PostAsync(Echo("c")).get().has_value(); }));
}

TEST_F(GatherTest, ClosingSendsWhatIsGathered) {
  std::atomic<int> accepted = 0;
  for (int i = 0; i < 2500; ++i) {
    client_.PostAsync(Echo("x"), [&](const Result<Posted>& posted) { accepted += posted ? 1 : 0; });
  }
  client_.Close();
  EXPECT_EQ(accepted, 2500);
  const auto late = client_.PostAsync(Echo("x")).get();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, StatusCode::kCancelled);
  client_.Close();
}

TEST_F(GatherTest, DestructionEndsEveryPost) {
  server_.Hold();
  std::atomic<int> ended = 0;
  {
    Client other({.server = server_.address()});
    for (int i = 0; i < 3000; ++i) {
      other.PostAsync(Echo("x"), [&](const Result<Posted>& posted) {
        EXPECT_FALSE(posted);
        ++ended;
      });
    }
    ASSERT_TRUE(server_.AwaitMessages(1));
  }
  EXPECT_EQ(ended, 3000);
}

TEST_F(GatherTest, AnswersOfAllClientsComeOnOneThread) {
  Client other({.server = server_.address()});
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for (Client* client : {&client_, &other, &client_, &other}) {
    std::promise<void> answered;
    client->PostAsync(Echo("x"), [&](const Result<Posted>& posted) {
      EXPECT_TRUE(posted);
      {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      }
      answered.set_value();
    });
    answered.get_future().get();
  }
  const std::lock_guard lock(mutex);
  EXPECT_EQ(threads.size(), 1U);
}

TEST_F(GatherTest, ManyClientsComeAndGo) {
  for (int i = 0; i < 30; ++i) {
    Client other({.server = server_.address()});
    auto post = other.PostAsync(Echo("x"));
    if (i % 2 == 0) other.Close();
  }
}

}  // namespace
}  // namespace workpool::client
