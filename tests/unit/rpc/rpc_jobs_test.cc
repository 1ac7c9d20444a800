// GetJob, WaitJob, ListJobs and CancelJobs through a real channel.
#include <set>
#include <vector>

#include "unit/rpc/pending_call.h"

namespace workpool::rpc {
namespace {

using RpcJobs = RpcRig;
using Stub = v1::WorkPool::Stub;

TEST_F(RpcJobs, GetJobShowsThePayloadOnlyWhenAsked) {
  const std::uint64_t id = PostOne(NewWork("held", "secret"));
  for (const bool with_payload : {false, true}) {
    v1::GetJobRequest request;
    request.set_id(id);
    request.set_with_payload(with_payload);
    const auto got = Call(*work_pool, &Stub::GetJob, request);
    ASSERT_TRUE(got.ok());
    EXPECT_EQ(got.response.job().payload(), with_payload ? "secret" : "");
    EXPECT_EQ(got.response.job().payload_bytes(), 6U);
  }
}

TEST_F(RpcJobs, AnIdNeverIssuedIsUnknown) {
  for (const auto& [id, reason] :
       {std::pair<std::uint64_t, std::string>{0, "BAD_FIELD"}, {12345678, "UNKNOWN_JOB"}}) {
    v1::GetJobRequest get;
    get.set_id(id);
    const auto got = Call(*work_pool, &Stub::GetJob, get);
    EXPECT_FALSE(got.ok());
    EXPECT_EQ(got.reason, reason);
    v1::WaitJobRequest wait;
    wait.set_id(id);
    const auto waited = Call(*work_pool, &Stub::WaitJob, wait);
    EXPECT_FALSE(waited.ok());
    EXPECT_EQ(waited.reason, reason);
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
  v1::PurgePoolRequest purge;
  purge.set_pool("small");
  const auto purged = Call(*admin, &v1::Admin::Stub::PurgePool, purge);
  ASSERT_TRUE(purged.ok());
  EXPECT_EQ(purged.response.purged(), 1U);
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
    const auto page = Call(*work_pool, &Stub::ListJobs, request);
    ASSERT_TRUE(page.ok());
    EXPECT_LE(page.response.jobs_size(), 10);
    for (const auto& job : page.response.jobs()) listed.push_back(job.id());
    request.set_page_token(page.response.next_page_token());
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
    const auto page = Call(*work_pool, &Stub::ListJobs, request);
    ASSERT_TRUE(page.ok());
    EXPECT_LE(page.response.ByteSizeLong(), std::size_t{4} << 20);
    total += page.response.jobs_size();
    ++pages;
    request.set_page_token(page.response.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(total, 250);
  EXPECT_GT(pages, 1);
}

TEST_F(RpcJobs, ListRefusesWhatItCannotMean) {
  const auto refused = [&](const v1::ListJobsRequest& request) {
    const auto page = Call(*work_pool, &Stub::ListJobs, request);
    return page.ok() ? "" : page.reason;
  };
  for (const std::uint32_t size : {0U, 1001U}) {
    v1::ListJobsRequest request;
    request.set_page_size(size);
    EXPECT_EQ(refused(request), "BAD_FIELD");
  }
  v1::ListJobsRequest request;
  request.set_page_token("tampered");
  EXPECT_EQ(refused(request), "BAD_FIELD");
}

TEST_F(RpcJobs, CancelCountsWhatItCancelledAndNamesWhatItDoesNotKnow) {
  dispatcher->Pause("default");
  const std::uint64_t first = PostOne(NewWork("echo"));
  PostOne(NewWork("echo"));
  v1::CancelJobsRequest by_ids;
  by_ids.add_ids(first);
  by_ids.add_ids(987654321);
  const auto one = Call(*work_pool, &Stub::CancelJobs, by_ids);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one.response.cancelled(), 1U);
  ASSERT_EQ(one.response.not_found_size(), 1);
  EXPECT_EQ(one.response.not_found(0), 987654321U);

  EXPECT_EQ(Call(*work_pool, &Stub::CancelJobs, {}).status.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(Pool("default").stats.queued, 1U);

  v1::CancelJobsRequest all;
  all.set_all(true);
  const auto rest = Call(*work_pool, &Stub::CancelJobs, all);
  ASSERT_TRUE(rest.ok());
  EXPECT_EQ(rest.response.cancelled(), 1U);
  EXPECT_EQ(Pool("default").stats.queued, 0U);
}

}  // namespace
}  // namespace workpool::rpc
