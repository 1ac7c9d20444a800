// GetJob, WaitJob, ListJobs and CancelJobs through a real channel.
#include <set>
#include <vector>

#include "unit/rpc/pending_call.h"

namespace workpool::rpc {
namespace {

using RpcJobs = RpcRig;

TEST_F(RpcJobs, GetJobShowsThePayloadOnlyWhenAsked) {
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

TEST_F(RpcJobs, AnIdNeverIssuedIsUnknown) {
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

TEST_F(RpcJobs, WaitJobAnswersWhenTheJobHasFinished) {
  PendingWait wait;
  wait.request.set_id(PostOne(NewWork("held")));
  wait.Run(*work_pool);
  Release("result");
  ASSERT_TRUE(wait.Wait());
  EXPECT_TRUE(wait.status.ok());
  EXPECT_EQ(wait.response.job().result(), "result");
}

// Case 59.
TEST_F(RpcJobs, WaitJobEndsAtOnceWhenTheJobIsPurged) {
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

TEST_F(RpcJobs, WaitJobsDeadlineLeavesTheJobAlone) {
  grpc::ClientContext context;
  v1::WaitJobRequest request;
  v1::WaitJobResponse response;
  request.set_id(PostOne(NewWork("held")));
  context.set_deadline(std::chrono::system_clock::now() + 50ms);
  EXPECT_EQ(work_pool->WaitJob(&context, request, &response).error_code(), grpc::DEADLINE_EXCEEDED);
  Release();
  EXPECT_TRUE(Eventually([&] { return State(request.id()) == JobState::kSucceeded; }));
}

TEST_F(RpcJobs, PagesOfAListJoinWithoutGapOrOverlap) {
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

TEST_F(RpcJobs, APageIsBoundedInBytes) {
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

TEST_F(RpcJobs, ListRefusesWhatItCannotMean) {
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

TEST_F(RpcJobs, CancelCountsWhatItCancelledAndNamesWhatItDoesNotKnow) {
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
