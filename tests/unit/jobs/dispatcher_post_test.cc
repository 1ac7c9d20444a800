// Posting: acceptance, refusal, waiting for room, batches, ids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/dispatcher_rig.h"

namespace workpool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

DispatcherConfig EchoIn(std::uint32_t workers, std::uint64_t capacity) {
  DispatcherConfig config;
  config.pools = {MakePoolConfig("default", workers, capacity)};
  config.handlers = {EchoConfig()};
  config.max_payload = 1000;
  return config;
}

PostRequest Waiting(std::string payload = "") {
  PostRequest request;
  request.work = MakeWork("echo", std::move(payload));
  request.work.when_full = WhenFull::kWait;
  return request;
}

TEST(DispatcherPost, RunsAnAcceptedJobAndKeepsItsResult) {
  DispatcherRig rig(EchoIn(1, 5));
  const std::string payload("\0hello\xff", 7);
  const PostProbe post = rig.Post(MakeWork("echo", payload));
  ASSERT_TRUE(post.accepted());
  EXPECT_EQ(rig.State(post.id()), JobState::kQueued);
  const WaitProbe wait = rig.Wait(post.id());
  EXPECT_TRUE(wait->empty());
  rig.clock.Advance(seconds(2));
  EXPECT_TRUE(rig.RunOne());
  ASSERT_EQ(wait->size(), 1u);
  const JobView& view = *wait->front();
  EXPECT_EQ(view.state, JobState::kSucceeded);
  EXPECT_EQ(view.result, payload);
  EXPECT_EQ(view.attempt, 1);
  EXPECT_EQ(view.worker, 0u);
  EXPECT_EQ(view.queue_wait, seconds(2));
  EXPECT_TRUE(view.started_at && view.finished_at);
  EXPECT_EQ(rig.dispatcher->Get(post.id())->result, payload);
  EXPECT_EQ(rig.Pool().stats.active, 0u);
  EXPECT_EQ(rig.Pool().finished, 1u);
}

TEST(DispatcherPost, APostWithoutAPoolIsToldWhichThereAreIfNoneIsTheDefault) {
  DispatcherConfig config;
  config.pools = {MakePoolConfig("images", 1, 1), MakePoolConfig("tiny", 1, 1)};
  config.handlers = {EchoConfig()};
  DispatcherRig rig(config);
  const Error error = rig.Post(MakeWork("echo")).error();
  EXPECT_EQ(error.code, ErrorCode::kUnknownPool);
  EXPECT_EQ(error.message,
            "pool: must be one of \"images\", \"tiny\": the handler \"echo\" names none and there "
            "is no pool \"default\"");
  EXPECT_EQ(rig.Post(MakeWork("echo", "", "tinny")).error().message,
            "pool: there is no pool \"tinny\"; the pools are \"images\", \"tiny\"");
}

TEST(DispatcherPost, IdsFollowTheOrderOfAcceptanceAndRefusalsUseNone) {
  DispatcherRig rig(EchoIn(1, 1));
  EXPECT_EQ(rig.Post(MakeWork("echo")).id(), 1u);
  EXPECT_EQ(rig.Post(MakeWork("echo")).id(), 2u);
  EXPECT_FALSE(rig.Post(MakeWork("echo")).accepted());
  rig.RunAll();
  EXPECT_EQ(rig.Post(MakeWork("echo")).id(), 3u);
}

TEST(DispatcherPost, AFullPoolSaysWhenToTryAgain) {
  DispatcherRig rig(EchoIn(1, 0));
  ASSERT_TRUE(rig.Post(MakeWork("echo")).accepted());
  const PostProbe refused = rig.Post(MakeWork("echo"));
  EXPECT_EQ(refused.error().code, ErrorCode::kQueueFull);
  EXPECT_THAT(refused.error().message, HasSubstr("\"default\""));
  EXPECT_GE(refused.error().retry_after, milliseconds(10));
  EXPECT_LE(refused.error().retry_after, seconds(5));
}

TEST(DispatcherPost, AllFieldsCountInBytes) {
  DispatcherConfig config = EchoIn(1, 5);
  config.pools.front().limits.capacity_bytes = 100;
  DispatcherRig rig(config);
  rig.dispatcher->Pause("default");
  Work work = MakeWork("echo", std::string(50, 'p'));  // and 4 + 7 for handler and pool
  work.caller = std::string(10, 'c');
  work.content_type = std::string(10, 't');
  work.metadata = {{"key", "value"}};
  ASSERT_TRUE(rig.Post(work).accepted());
  EXPECT_EQ(rig.Pool().stats.queued_bytes, 50u + 4 + 7 + 10 + 10 + 8);
  EXPECT_EQ(rig.Post(work).error().code, ErrorCode::kQueueFull);
  work.payload = std::string(101, 'p');
  EXPECT_EQ(rig.Post(work).error().code, ErrorCode::kPayloadTooLarge);
}

TEST(DispatcherPost, InvalidPostsAreCountedWhereTheyWereMeantFor) {  // case 26
  DispatcherRig rig(EchoIn(1, 5));
  for (int i = 0; i < 100; ++i) {
    rig.Post(MakeWork("handler" + std::to_string(i)));
    rig.Post(MakeWork("echo", "", "pool" + std::to_string(i)));
  }
  rig.Post(MakeWork("echo", std::string(1001, 'x')));
  EXPECT_EQ(rig.dispatcher->unknown_pool_posts(), 200u);
  EXPECT_EQ(rig.Pool().invalid_posts, 1u);
  EXPECT_EQ(rig.observer.invalid(),
            (std::map<std::string, std::uint64_t>{{"default", 1}, {"unknown", 200}}));
  EXPECT_EQ(rig.Pool().stats.Posted(), 0u);
}

// --- waiting for room ----------------------------------------------------------------------------

TEST(DispatcherWaitForRoom, IsServedInOrderWhenRoomComes) {  // case 29
  DispatcherRig rig(EchoIn(1, 1));
  std::vector<PostProbe> posts;
  for (int i = 0; i < 100; ++i) posts.push_back(rig.Post(Waiting()));
  EXPECT_EQ(rig.Pool().stats.waiting, 98u);
  EXPECT_NE(posts.back().ticket, 0u);
  EXPECT_EQ(rig.RunAll(), 100);
  for (std::size_t i = 0; i < posts.size(); ++i) {
    ASSERT_TRUE(posts[i].accepted());
    EXPECT_EQ(posts[i].id(), i + 1);
    EXPECT_EQ(posts[i].answers->size(), 1u);
  }
  EXPECT_EQ(rig.Pool().stats.waiting, 0u);
}

TEST(DispatcherWaitForRoom, EndsAtTheEarliestOfItsBounds) {
  const auto ends_after = [](PostRequest request, milliseconds expected) {
    DispatcherConfig config = EchoIn(1, 0);
    config.pools.front().max_wait = seconds(60);
    DispatcherRig rig(config);
    rig.Post(MakeWork("echo"));
    const PostProbe post = rig.Post(std::move(request));
    rig.Advance(expected - milliseconds(1));
    EXPECT_FALSE(post.answered());
    rig.Advance(milliseconds(1));
    ASSERT_TRUE(post.answered());
    EXPECT_EQ(post.error().code, ErrorCode::kWaitTimeout);
    EXPECT_EQ(rig.Pool().stats.waiting, 0u);
  };
  ends_after(Waiting(), seconds(60));
  PostRequest by_request = Waiting();
  by_request.work.wait_timeout = seconds(5);
  ends_after(std::move(by_request), seconds(5));
  const SteadyTime now = ManualClock().Now();
  PostRequest by_call = Waiting();
  by_call.call_deadline = now + seconds(10);
  ends_after(std::move(by_call), milliseconds(9900));
  PostRequest by_short_call = Waiting();
  by_short_call.call_deadline = now + milliseconds(100);
  ends_after(std::move(by_short_call), milliseconds(90));
}

TEST(DispatcherWaitForRoom, AbandonedPostsHoldNoPlace) {
  DispatcherRig rig(EchoIn(1, 0));
  rig.Post(MakeWork("echo"));
  const PostProbe left = rig.Post(Waiting());
  const PostProbe stays = rig.Post(Waiting());
  rig.dispatcher->Abandon(left.ticket);
  rig.dispatcher->Abandon(left.ticket);
  rig.dispatcher->Abandon(12345);
  EXPECT_EQ(left.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(left.answers->size(), 1u);
  EXPECT_EQ(rig.RunAll(), 2);
  EXPECT_TRUE(stays.accepted());
  rig.dispatcher->Abandon(stays.ticket);
  EXPECT_EQ(rig.State(stays.id()), JobState::kSucceeded);
}

TEST(DispatcherWaitForRoom, DrainEndsItAtOnce) {
  DispatcherRig rig(EchoIn(1, 0));
  rig.Post(MakeWork("echo"));
  const PostProbe post = rig.Post(Waiting());
  ASSERT_TRUE(rig.dispatcher->Drain("default", [](Result<void>) {}));
  ASSERT_TRUE(post.answered());
  EXPECT_EQ(post.error().code, ErrorCode::kDraining);
}

TEST(DispatcherWaitForRoom, AHandlerThatPostsToItsOwnFullPoolGetsAnError) {  // case 30
  DispatcherConfig config = EchoIn(1, 0);
  DispatcherRig rig;
  PostProbe inner;
  config.handlers.push_back(
      MakeHandlerConfig("nested", "", MakeFunctionHandler([&](const Job&, JobContext&) -> Outcome {
                          PostRequest request = Waiting();
                          request.work.wait_timeout = seconds(2);
                          inner = rig.Post(std::move(request));
                          rig.Advance(seconds(2));
                          return inner.answered() ? "answered" : "stuck";
                        })));
  rig.Start(config);
  const PostProbe outer = rig.Post(MakeWork("nested"));
  rig.RunAll();
  EXPECT_EQ(rig.dispatcher->Get(outer.id())->result, "answered");
  EXPECT_EQ(inner.error().code, ErrorCode::kWaitTimeout);
  EXPECT_TRUE(rig.Post(MakeWork("echo")).accepted());
}

// --- batches -------------------------------------------------------------------------------------

TEST(DispatcherBatch, AnswersEachItemForItself) {
  DispatcherConfig config = EchoIn(1, 1);
  config.pools.push_back(MakePoolConfig("other", 1, 1));
  DispatcherRig rig(config);
  std::vector<PostRequest> requests(7);
  requests[0].work = MakeWork("echo");
  requests[1].work = MakeWork("nobody");
  requests[2].work = MakeWork("echo", "", "other");
  requests[3].work = MakeWork("echo");
  requests[4] = Waiting();
  requests[5].work = MakeWork("echo");  // behind the waiting one
  requests[6].work = MakeWork("echo", "", "other");
  std::map<std::size_t, std::vector<Result<Posted>>> answers;
  const std::vector<Ticket> tickets = rig.dispatcher->PostBatch(
      std::move(requests),
      [&answers](std::size_t index, Result<Posted> result) { answers[index].push_back(result); });
  ASSERT_EQ(tickets.size(), 7u);
  EXPECT_NE(tickets[4], 0u);
  EXPECT_EQ(answers.size(), 6u);
  EXPECT_EQ(answers[0].front()->id, 1u);
  EXPECT_EQ(answers[1].front().error().code, ErrorCode::kUnknownHandler);
  EXPECT_EQ(answers[2].front()->id, 2u);
  EXPECT_EQ(answers[3].front()->id, 3u);
  EXPECT_EQ(answers[5].front().error().code, ErrorCode::kQueueFull);
  EXPECT_EQ(answers[6].front()->id, 4u);
  rig.RunAll();
  ASSERT_EQ(answers[4].size(), 1u);
  EXPECT_EQ(answers[4].front()->id, 5u);
}

TEST(DispatcherBatch, RunsStrictlyByPriorityAndFifoWithin) {  // case 37
  DispatcherConfig config = EchoIn(1, 1000);
  std::vector<std::pair<int, int>> ran;
  config.handlers.push_back(MakeHandlerConfig(
      "note", "", MakeFunctionHandler([&ran](const Job& job, JobContext&) -> Outcome {
        ran.emplace_back(job.priority, std::stoi(std::string(job.payload)));
        return "";
      })));
  DispatcherRig rig(config);
  rig.dispatcher->Pause("default");
  std::vector<PostRequest> requests(100);
  for (int i = 0; i < 100; ++i) {
    requests[static_cast<std::size_t>(i)].work = MakeWork("note", std::to_string(i));
    requests[static_cast<std::size_t>(i)].work.priority = i % 10;
  }
  rig.dispatcher->PostBatch(std::move(requests), [](std::size_t, Result<Posted>) {});
  rig.dispatcher->Resume("default");
  rig.RunAll();
  ASSERT_EQ(ran.size(), 100u);
  for (std::size_t i = 1; i < ran.size(); ++i) {
    EXPECT_TRUE(ran[i - 1].first > ran[i].first ||
                (ran[i - 1].first == ran[i].first && ran[i - 1].second < ran[i].second));
  }
}

}  // namespace
}  // namespace workpool
