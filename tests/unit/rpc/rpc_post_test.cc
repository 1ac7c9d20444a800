// PostWork, PostWorkBatch and RunWork through a real channel.
#include "unit/rpc/pending_call.h"

namespace workpool::rpc {
namespace {

using RpcPost = RpcRig;
using Stub = v1::WorkPool::Stub;

TEST_F(RpcPost, AnAcceptedPostAnswersItsId) {
  const std::uint64_t id = PostOne(NewWork("echo", "hello"));
  EXPECT_GT(id, 0U);
  EXPECT_GT(PostOne(NewWork("echo")), id);
}

TEST_F(RpcPost, WithWaitItAnswersTheFinishedJob) {
  v1::PostWorkRequest request;
  *request.mutable_work() = NewWork("echo", std::string("a\0b", 3));
  request.set_wait(true);
  const auto posted = Call(*work_pool, &Stub::PostWork, request);
  ASSERT_TRUE(posted.ok());
  EXPECT_EQ(posted.response.job().state(), v1::JOB_STATE_SUCCEEDED);
  EXPECT_EQ(posted.response.job().result(), std::string("a\0b", 3));
  EXPECT_EQ(posted.response.id(), posted.response.job().id());
}

TEST_F(RpcPost, AFullPoolPushesBack) {
  FillSmall();
  grpc::ClientContext context;
  v1::PostWorkRequest request;
  v1::PostWorkResponse response;
  *request.mutable_work() = NewWork("held", "", "small");
  const auto status = work_pool->PostWork(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED);
  EXPECT_EQ(ReasonOf(context), "QUEUE_FULL");
  const auto pushback = context.GetServerTrailingMetadata().find("grpc-retry-pushback-ms");
  ASSERT_NE(pushback, context.GetServerTrailingMetadata().end());
  EXPECT_GE(std::stoi(std::string(pushback->second.data(), pushback->second.size())), 1);
}

TEST_F(RpcPost, RefusalsNameFieldAndReason) {
  const std::pair<v1::Work, std::string> rows[] = {
      {NewWork("nobody"), "UNKNOWN_HANDLER"},
      {NewWork("echo", "", "nowhere"), "UNKNOWN_POOL"},
      {NewWork("../x"), "BAD_FIELD"},
      {NewWork("echo", std::string((3 << 20) + 1, 'x')), "PAYLOAD_TOO_LARGE"},
  };
  for (const auto& [work, reason] : rows) {
    const auto posted = Post(work);
    EXPECT_FALSE(posted.ok());
    EXPECT_FALSE(posted.status.error_message().empty());
    EXPECT_EQ(posted.reason, reason);
  }
}

TEST_F(RpcPost, AWaitForRoomEndsWhenThereIsRoom) {
  FillSmall();
  PendingPost post;
  *post.request.mutable_work() = NewWork("held", "", "small");
  post.request.mutable_work()->set_when_full(v1::WHEN_FULL_WAIT);
  post.Post(*work_pool);
  ASSERT_TRUE(Eventually([&] { return Pool("small").stats.waiting == 1; }));
  Release();
  ASSERT_TRUE(post.Wait());
  EXPECT_TRUE(post.status.ok()) << post.status.error_message();
  EXPECT_GT(post.response.id(), 0U);
}

// So that the caller sees the reason instead of its own deadline.
TEST_F(RpcPost, AWaitForRoomEndsBeforeTheCallsDeadline) {
  FillSmall();
  grpc::ClientContext context;
  v1::PostWorkRequest request;
  v1::PostWorkResponse response;
  *request.mutable_work() = NewWork("held", "", "small");
  request.mutable_work()->set_when_full(v1::WHEN_FULL_WAIT);
  context.set_deadline(std::chrono::system_clock::now() + 1s);
  const auto status = work_pool->PostWork(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::DEADLINE_EXCEEDED);
  EXPECT_EQ(ReasonOf(context), "WAIT_TIMEOUT");
}

// Case 29: nothing of it stays behind.
TEST_F(RpcPost, AClientThatLeavesGivesUpItsWaitForRoom) {
  FillSmall();
  PendingPost post;
  *post.request.mutable_work() = NewWork("held", "", "small");
  post.request.mutable_work()->set_when_full(v1::WHEN_FULL_WAIT);
  post.Post(*work_pool);
  ASSERT_TRUE(Eventually([&] { return Pool("small").stats.waiting == 1; }));
  post.context.TryCancel();
  ASSERT_TRUE(post.Wait());
  EXPECT_EQ(post.status.error_code(), grpc::CANCELLED);
  EXPECT_TRUE(Eventually([&] { return Pool("small").stats.waiting == 0; }));
  EXPECT_EQ(Pool("small").stats.accepted, 2U);
}

TEST_F(RpcPost, AClientThatLeavesItsWaitForTheEndLeavesTheJobAlone) {
  PendingPost post;
  *post.request.mutable_work() = NewWork("held");
  post.request.set_wait(true);
  post.Post(*work_pool);
  ASSERT_TRUE(Eventually([&] { return held->size() == 1; }));
  const JobId id = held->Front()->job().id;
  post.context.TryCancel();
  ASSERT_TRUE(post.Wait());
  Release();
  EXPECT_TRUE(Eventually([&] { return State(id) == JobState::kSucceeded; }));
}

TEST_F(RpcPost, ABatchAnswersEachItemInItsPlace) {
  v1::PostWorkBatchRequest request;
  *request.add_work() = NewWork("echo");
  *request.add_work() = NewWork("nobody");
  *request.add_work() = NewWork("echo");
  request.add_work()->set_max_attempts(2);
  *request.add_work() = NewWork("echo");
  const auto posted = Call(*work_pool, &Stub::PostWorkBatch, request);
  ASSERT_TRUE(posted.ok());
  const auto& results = posted.response.results();
  ASSERT_EQ(results.size(), 5);
  EXPECT_GT(results[0].id(), 0U);
  EXPECT_FALSE(results[0].has_refusal());
  EXPECT_EQ(results[1].refusal().reason(), "UNKNOWN_HANDLER");
  EXPECT_EQ(results[1].id(), 0U);
  EXPECT_GT(results[2].id(), results[0].id());
  EXPECT_EQ(results[3].refusal().code(), grpc::UNIMPLEMENTED);
  EXPECT_GT(results[4].id(), results[2].id());
}

TEST_F(RpcPost, ABatchHoldsOneToTenThousandItems) {
  for (const int count : {0, 10'001}) {
    v1::PostWorkBatchRequest request;
    for (int i = 0; i < count; ++i) request.add_work();
    const auto posted = Call(*work_pool, &Stub::PostWorkBatch, request);
    EXPECT_EQ(posted.status.error_code(), grpc::INVALID_ARGUMENT);
    EXPECT_EQ(posted.reason, "BAD_FIELD");
  }
}

TEST_F(RpcPost, ALargeBatchIsAcceptedExactlyUpToTheRoom) {
  dispatcher->Pause("default");
  v1::PostWorkBatchRequest request;
  for (int i = 0; i < 10'000; ++i) *request.add_work() = NewWork("echo");
  const auto posted = Call(*work_pool, &Stub::PostWorkBatch, request);
  ASSERT_TRUE(posted.ok());
  const auto& results = posted.response.results();
  ASSERT_EQ(results.size(), 10'000);
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_EQ(results[i].has_refusal(), i >= 100) << i;
    ASSERT_EQ(results[i].refusal().reason(), i >= 100 ? "QUEUE_FULL" : "");
  }
}

TEST_F(RpcPost, ABatchWhoseClientLeavesGivesUpItsWaits) {
  constexpr int kItems = 300;  // more than the server offers in one go
  FillSmall();
  Pending<v1::PostWorkBatchRequest, v1::PostWorkBatchResponse> batch;
  for (int i = 0; i < kItems; ++i) {
    v1::Work& work = *batch.request.add_work();
    work = NewWork("held", "", "small");
    work.set_when_full(v1::WHEN_FULL_WAIT);
  }
  batch.Start([&](auto... args) { work_pool->async()->PostWorkBatch(args...); });
  ASSERT_TRUE(Eventually([&] { return Pool("small").stats.waiting == kItems; }));
  batch.context.TryCancel();
  ASSERT_TRUE(batch.Wait());
  EXPECT_TRUE(Eventually([&] { return Pool("small").stats.waiting == 0; }));
}

TEST_F(RpcPost, RunWorkAnswersTheFinalStateWhateverItIs) {
  PendingRun good;
  *good.request.mutable_work() = NewWork("echo", "x");
  good.Run(*work_pool);
  ASSERT_TRUE(good.Wait());
  EXPECT_EQ(good.response.job().state(), v1::JOB_STATE_SUCCEEDED);
  EXPECT_EQ(good.response.job().result(), "x");

  PendingRun bad;
  *bad.request.mutable_work() = NewWork("held");
  bad.Run(*work_pool);
  ASSERT_TRUE(Eventually([&] { return held->size() == 1; }));
  held->Take()->Finish(Outcome::Failure("broken"));
  ASSERT_TRUE(bad.Wait());
  EXPECT_TRUE(bad.status.ok());
  EXPECT_EQ(bad.response.job().state(), v1::JOB_STATE_DEAD);
  EXPECT_EQ(bad.response.job().error().message(), "broken");
}

TEST_F(RpcPost, AClientThatLeavesRunWorkCancelsTheJob) {
  PendingRun run;
  *run.request.mutable_work() = NewWork("held");
  run.Run(*work_pool);
  ASSERT_TRUE(Eventually([&] { return held->size() == 1; }));
  const auto attempt = held->Front();
  run.context.TryCancel();
  ASSERT_TRUE(run.Wait());
  ASSERT_TRUE(Eventually([&] { return attempt->stop_token().stop_requested(); }));
  held->Take()->Finish(Outcome::Failure("stopped"));
  EXPECT_TRUE(Eventually([&] { return State(attempt->job().id) == JobState::kCancelled; }));
}

TEST_F(RpcPost, WithDetachTheJobOutlivesTheCall) {
  PendingRun run;
  *run.request.mutable_work() = NewWork("held");
  run.request.set_detach(true);
  run.context.set_deadline(std::chrono::system_clock::now() + 200ms);
  run.Run(*work_pool);
  ASSERT_TRUE(Eventually([&] { return held->size() == 1; }));
  const auto attempt = held->Front();
  ASSERT_TRUE(run.Wait());
  EXPECT_EQ(run.status.error_code(), grpc::DEADLINE_EXCEEDED);
  EXPECT_FALSE(attempt->stop_token().stop_requested());
  Release();
  EXPECT_TRUE(Eventually([&] { return State(attempt->job().id) == JobState::kSucceeded; }));
}

TEST_F(RpcPost, RunWorksDeadlineStopsTheJobBeforeIt) {
  PendingRun run;
  *run.request.mutable_work() = NewWork("held");
  run.context.set_deadline(std::chrono::system_clock::now() + 4s);
  run.Run(*work_pool);
  ASSERT_TRUE(Eventually([&] { return held->size() == 1; }));
  const auto attempt = held->Front();
  ASSERT_TRUE(Eventually([&] { return attempt->stop_token().stop_requested(); }));
  held->Take()->Finish(Outcome::Failure("stopped"));
  ASSERT_TRUE(run.Wait());
  EXPECT_TRUE(run.status.ok()) << run.status.error_message();
  EXPECT_EQ(run.response.job().state(), v1::JOB_STATE_DEAD);
  EXPECT_EQ(run.response.job().error().code(), "TIMEOUT");
}

// The client's own timer ends the call first; the job is late all the same, not cancelled.
TEST_F(RpcPost, AHandlerThatOutlivesRunWorksDeadlineEndsDeadNotCancelled) {
  PendingRun run;
  *run.request.mutable_work() = NewWork("held");
  run.context.set_deadline(std::chrono::system_clock::now() + 300ms);
  run.Run(*work_pool);
  ASSERT_TRUE(Eventually([&] { return held->size() == 1; }));
  ASSERT_TRUE(run.Wait());
  EXPECT_EQ(run.status.error_code(), grpc::DEADLINE_EXCEEDED);
  const auto attempt = held->Take();
  const JobId id = attempt->job().id;
  attempt->Finish(Outcome::Failure("stopped"));
  ASSERT_TRUE(Eventually([&] { return IsFinished(State(id)); }));
  EXPECT_EQ(State(id), JobState::kDead);
  EXPECT_EQ(dispatcher->Get(id)->failure->code, "TIMEOUT");
}

}  // namespace
}  // namespace workpool::rpc
