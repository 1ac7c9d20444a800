// PostWork, PostWorkBatch, RunWork, GetJob, WaitJob, ListJobs and CancelJobs through a real
// channel.
#include <atomic>
#include <optional>
#include <set>
#include <vector>

#include "unit/rpc/rpc_rig.h"

namespace workpool::rpc {
namespace {

using RpcPost = RpcRig;

// A unary call under way.
template <typename Request, typename Response>
struct Pending {
  grpc::ClientContext context;
  Request request;
  Response response;
  grpc::Status status;
  std::atomic<bool> done{false};

  template <typename Method>
  void Start(Method method) {
    method(&context, &request, &response, [this](grpc::Status result) {
      status = std::move(result);
      done = true;
      done.notify_all();
    });
  }
  bool Wait() {
    return Eventually([this] { return done.load(); });
  }
};

struct PendingPost : Pending<v1::PostWorkRequest, v1::PostWorkResponse> {
  void Post(v1::WorkPool::Stub& stub) {
    Start([&](auto... args) { stub.async()->PostWork(args...); });
  }
};
struct PendingRun : Pending<v1::RunWorkRequest, v1::RunWorkResponse> {
  void Run(v1::WorkPool::Stub& stub) {
    Start([&](auto... args) { stub.async()->RunWork(args...); });
  }
};
struct PendingWait : Pending<v1::WaitJobRequest, v1::WaitJobResponse> {
  void Run(v1::WorkPool::Stub& stub) {
    Start([&](auto... args) { stub.async()->WaitJob(args...); });
  }
};

TEST_F(RpcPost, AnAcceptedPostAnswersItsId) {
  const std::uint64_t id = PostOne(NewWork("echo", "hello"));
  EXPECT_GT(id, 0U);
  EXPECT_GT(PostOne(NewWork("echo")), id);
}

TEST_F(RpcPost, WithWaitItAnswersTheFinishedJob) {
  grpc::ClientContext context;
  v1::PostWorkRequest request;
  v1::PostWorkResponse response;
  *request.mutable_work() = NewWork("echo", std::string("a\0b", 3));
  request.set_wait(true);
  ASSERT_TRUE(work_pool->PostWork(&context, request, &response).ok());
  EXPECT_EQ(response.job().state(), v1::JOB_STATE_SUCCEEDED);
  EXPECT_EQ(response.job().result(), std::string("a\0b", 3));
  EXPECT_EQ(response.id(), response.job().id());
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
    grpc::ClientContext context;
    v1::PostWorkRequest request;
    v1::PostWorkResponse response;
    *request.mutable_work() = work;
    const auto status = work_pool->PostWork(&context, request, &response);
    EXPECT_FALSE(status.ok());
    EXPECT_FALSE(status.error_message().empty());
    EXPECT_EQ(ReasonOf(context), reason);
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
  grpc::ClientContext context;
  v1::PostWorkBatchRequest request;
  v1::PostWorkBatchResponse response;
  *request.add_work() = NewWork("echo");
  *request.add_work() = NewWork("nobody");
  *request.add_work() = NewWork("echo");
  request.add_work()->set_weight(2);
  *request.add_work() = NewWork("echo");
  ASSERT_TRUE(work_pool->PostWorkBatch(&context, request, &response).ok());
  ASSERT_EQ(response.results_size(), 5);
  EXPECT_GT(response.results(0).id(), 0U);
  EXPECT_FALSE(response.results(0).has_refusal());
  EXPECT_EQ(response.results(1).refusal().reason(), "UNKNOWN_HANDLER");
  EXPECT_EQ(response.results(1).id(), 0U);
  EXPECT_GT(response.results(2).id(), response.results(0).id());
  EXPECT_EQ(response.results(3).refusal().code(), grpc::UNIMPLEMENTED);
  EXPECT_GT(response.results(4).id(), response.results(2).id());
}

TEST_F(RpcPost, ABatchHoldsOneToTenThousandItems) {
  for (const int count : {0, 10'001}) {
    grpc::ClientContext context;
    v1::PostWorkBatchRequest request;
    v1::PostWorkBatchResponse response;
    for (int i = 0; i < count; ++i) request.add_work();
    const auto status = work_pool->PostWorkBatch(&context, request, &response);
    EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
    EXPECT_EQ(ReasonOf(context), "BAD_FIELD");
  }
}

TEST_F(RpcPost, ALargeBatchIsAcceptedExactlyUpToTheRoom) {
  dispatcher->Pause("default");
  grpc::ClientContext context;
  v1::PostWorkBatchRequest request;
  v1::PostWorkBatchResponse response;
  for (int i = 0; i < 10'000; ++i) *request.add_work() = NewWork("echo");
  ASSERT_TRUE(work_pool->PostWorkBatch(&context, request, &response).ok());
  ASSERT_EQ(response.results_size(), 10'000);
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_EQ(response.results(i).has_refusal(), i >= 100) << i;
    ASSERT_EQ(response.results(i).refusal().reason(), i >= 100 ? "QUEUE_FULL" : "");
  }
}

TEST_F(RpcPost, ABatchWhoseClientLeavesGivesUpItsWaits) {
  FillSmall();
  Pending<v1::PostWorkBatchRequest, v1::PostWorkBatchResponse> batch;
  for (int i = 0; i < 5; ++i) {
    v1::Work& work = *batch.request.add_work();
    work = NewWork("held", "", "small");
    work.set_when_full(v1::WHEN_FULL_WAIT);
  }
  batch.Start([&](auto... args) { work_pool->async()->PostWorkBatch(args...); });
  ASSERT_TRUE(Eventually([&] { return Pool("small").stats.waiting == 5; }));
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

TEST_F(RpcPost, GetJobShowsThePayloadOnlyWhenAsked) {
  const std::uint64_t id = PostOne(NewWork("held", "secret"));
  for (const bool with_payload : {false, true}) {
    grpc::ClientContext context;
    v1::GetJobRequest request;
    v1::GetJobResponse response;
    request.set_id(id);
    request.set_with_payload(with_payload);
    ASSERT_TRUE(work_pool->GetJob(&context, request, &response).ok());
    EXPECT_EQ(response.job().payload(), with_payload ? "secret" : "");
    EXPECT_EQ(response.job().payload_bytes(), 6U);
  }
}

TEST_F(RpcPost, AnIdNeverIssuedIsUnknown) {
  for (const auto& [id, reason] :
       {std::pair<std::uint64_t, std::string>{0, "BAD_FIELD"}, {12345678, "UNKNOWN_JOB"}}) {
    grpc::ClientContext get_context;
    v1::GetJobRequest get;
    v1::GetJobResponse got;
    get.set_id(id);
    EXPECT_FALSE(work_pool->GetJob(&get_context, get, &got).ok());
    EXPECT_EQ(ReasonOf(get_context), reason);
    grpc::ClientContext wait_context;
    v1::WaitJobRequest wait;
    v1::WaitJobResponse waited;
    wait.set_id(id);
    EXPECT_FALSE(work_pool->WaitJob(&wait_context, wait, &waited).ok());
    EXPECT_EQ(ReasonOf(wait_context), reason);
  }
}

TEST_F(RpcPost, WaitJobAnswersWhenTheJobHasFinished) {
  PendingWait wait;
  wait.request.set_id(PostOne(NewWork("held")));
  wait.Run(*work_pool);
  Release("result");
  ASSERT_TRUE(wait.Wait());
  EXPECT_TRUE(wait.status.ok());
  EXPECT_EQ(wait.response.job().result(), "result");
}

// Case 59.
TEST_F(RpcPost, WaitJobEndsAtOnceWhenTheJobIsPurged) {
  FillSmall();
  PendingWait wait;
  const JobId queued = dispatcher->List({}, 0, 1).jobs.at(0).job->id;
  wait.request.set_id(queued);
  wait.Run(*work_pool);
  grpc::ClientContext context;
  v1::PurgePoolRequest purge;
  v1::PurgePoolResponse purged;
  purge.set_pool("small");
  ASSERT_TRUE(admin->PurgePool(&context, purge, &purged).ok());
  EXPECT_EQ(purged.purged(), 1U);
  ASSERT_TRUE(wait.Wait());
  EXPECT_EQ(wait.status.error_code(), grpc::NOT_FOUND);
}

TEST_F(RpcPost, WaitJobsDeadlineLeavesTheJobAlone) {
  grpc::ClientContext context;
  v1::WaitJobRequest request;
  v1::WaitJobResponse response;
  request.set_id(PostOne(NewWork("held")));
  context.set_deadline(std::chrono::system_clock::now() + 50ms);
  EXPECT_EQ(work_pool->WaitJob(&context, request, &response).error_code(), grpc::DEADLINE_EXCEEDED);
  Release();
  EXPECT_TRUE(Eventually([&] { return State(request.id()) == JobState::kSucceeded; }));
}

TEST_F(RpcPost, PagesOfAListJoinWithoutGapOrOverlap) {
  dispatcher->Pause("default");
  std::set<std::uint64_t> posted;
  for (int i = 0; i < 25; ++i) posted.insert(PostOne(NewWork("echo")));
  v1::ListJobsRequest request;
  request.mutable_filter()->set_pool("default");
  request.set_page_size(10);
  std::vector<std::uint64_t> listed;
  do {
    grpc::ClientContext context;
    v1::ListJobsResponse response;
    ASSERT_TRUE(work_pool->ListJobs(&context, request, &response).ok());
    EXPECT_LE(response.jobs_size(), 10);
    for (const auto& job : response.jobs()) listed.push_back(job.id());
    request.set_page_token(response.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_TRUE(std::ranges::is_sorted(listed, std::greater()));
  EXPECT_EQ(std::set(listed.begin(), listed.end()), posted);
  EXPECT_EQ(listed.size(), posted.size());
}

TEST_F(RpcPost, APageIsBoundedInBytes) {
  dispatcher->Pause("default");
  for (int i = 0; i < 100; ++i) {
    PostRequest request;
    request.work = MakeWork("echo");
    for (int k = 0; k < 15; ++k) {
      request.work.metadata["k" + std::to_string(k)] = std::string(1000, 'x');
    }
    dispatcher->Post(std::move(request), [](auto) {});
  }
  dispatcher->Resize("default", {.workers = {}, .capacity = 1000, .hold_for = {}, .reset = false});
  for (int i = 0; i < 150; ++i) {
    PostRequest request;
    request.work = MakeWork("echo");
    request.work.metadata["k"] = std::string(16'000, 'x');
    dispatcher->Post(std::move(request), [](auto) {});
  }
  v1::ListJobsRequest request;
  request.set_page_size(1000);
  int total = 0;
  int pages = 0;
  do {
    grpc::ClientContext context;
    v1::ListJobsResponse response;
    ASSERT_TRUE(work_pool->ListJobs(&context, request, &response).ok());
    EXPECT_LE(response.ByteSizeLong(), std::size_t{4} << 20);
    total += response.jobs_size();
    ++pages;
    request.set_page_token(response.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(total, 250);
  EXPECT_GT(pages, 1);
}

TEST_F(RpcPost, ListRefusesWhatItCannotMean) {
  for (const std::uint32_t size : {0U, 1001U}) {
    grpc::ClientContext context;
    v1::ListJobsRequest request;
    v1::ListJobsResponse response;
    request.set_page_size(size);
    EXPECT_FALSE(work_pool->ListJobs(&context, request, &response).ok());
    EXPECT_EQ(ReasonOf(context), "BAD_FIELD");
  }
  grpc::ClientContext context;
  v1::ListJobsRequest request;
  v1::ListJobsResponse response;
  request.set_page_token("tampered");
  EXPECT_FALSE(work_pool->ListJobs(&context, request, &response).ok());
  EXPECT_EQ(ReasonOf(context), "BAD_FIELD");
}

TEST_F(RpcPost, CancelCountsWhatItCancelledAndNamesWhatItDoesNotKnow) {
  dispatcher->Pause("default");
  const std::uint64_t first = PostOne(NewWork("echo"));
  PostOne(NewWork("echo"));
  grpc::ClientContext by_ids;
  v1::CancelJobsRequest request;
  v1::CancelJobsResponse response;
  request.add_ids(first);
  request.add_ids(987654321);
  ASSERT_TRUE(work_pool->CancelJobs(&by_ids, request, &response).ok());
  EXPECT_EQ(response.cancelled(), 1U);
  ASSERT_EQ(response.not_found_size(), 1);
  EXPECT_EQ(response.not_found(0), 987654321U);

  grpc::ClientContext empty;
  EXPECT_EQ(work_pool->CancelJobs(&empty, {}, &response).error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(Pool("default").stats.queued, 1U);

  grpc::ClientContext all;
  v1::CancelJobsRequest every;
  every.set_all(true);
  ASSERT_TRUE(work_pool->CancelJobs(&all, every, &response).ok());
  EXPECT_EQ(response.cancelled(), 1U);
  EXPECT_EQ(Pool("default").stats.queued, 0U);
}

}  // namespace
}  // namespace workpool::rpc
