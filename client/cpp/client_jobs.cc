// A client's questions about jobs.
#include <utility>

#include "client_impl.h"
#include "convert.h"

namespace workpool::client {

namespace {

using Stub = v1::WorkPool::Stub;

Result<Cancelled> CancelledIn(const Result<v1::CancelJobsResponse>& response) {
  if (!response) return std::unexpected(response.error());
  return Cancelled{response->cancelled(),
                   {response->not_found().begin(), response->not_found().end()}};
}

}  // namespace

Result<Job> Client::Get(std::uint64_t id, bool with_payload, const CallOptions& options) {
  v1::GetJobRequest request;
  request.set_id(id);
  request.set_with_payload(with_payload);
  return JobIn(impl_->Call(&Stub::GetJob, request, impl_->Deadline(options), options));
}

Result<Job> Client::Wait(std::uint64_t id, const CallOptions& options) {
  v1::WaitJobRequest request;
  request.set_id(id);
  return JobIn(impl_->Call(&Stub::WaitJob, request, DeadlineIn(options.timeout), options));
}

void Client::WaitAsync(std::uint64_t id, Callback<Job> done, const CallOptions& options) {
  v1::WaitJobRequest request;
  request.set_id(id);
  CallLater<AsyncStub, v1::WaitJobRequest, v1::WaitJobResponse>(
      *impl_->stub.async(), impl_->calls, &AsyncStub::WaitJob, std::move(request),
      [callback = std::move(done)](auto response) mutable { callback(JobIn(std::move(response))); },
      DeadlineIn(options.timeout), options.stop);
}

Result<JobPage> Client::List(const JobFilter& filter, std::uint32_t page_size,
                             const std::string& page_token, const CallOptions& options) {
  v1::ListJobsRequest request;
  Fill(filter, request.mutable_filter());
  if (page_size > 0) request.set_page_size(page_size);
  request.set_page_token(page_token);
  auto response = impl_->Call(&Stub::ListJobs, request, impl_->Deadline(options), options);
  if (!response) return std::unexpected(std::move(response.error()));
  JobPage page;
  for (v1::Job& job : *response->mutable_jobs()) page.jobs.push_back(JobOf(std::move(job)));
  page.next_page_token = response->next_page_token();
  return page;
}

Result<Cancelled> Client::Cancel(std::span<const std::uint64_t> ids, const CallOptions& options) {
  v1::CancelJobsRequest request;
  request.mutable_ids()->Add(ids.begin(), ids.end());
  return CancelledIn(impl_->Call(&Stub::CancelJobs, request, impl_->Deadline(options), options));
}

Result<Cancelled> Client::Cancel(const JobFilter& filter, const CallOptions& options) {
  v1::CancelJobsRequest request;
  Fill(filter, request.mutable_filter());
  return CancelledIn(impl_->Call(&Stub::CancelJobs, request, impl_->Deadline(options), options));
}

Result<Cancelled> Client::CancelAll(const CallOptions& options) {
  v1::CancelJobsRequest request;
  request.set_all(true);
  return CancelledIn(impl_->Call(&Stub::CancelJobs, request, impl_->Deadline(options), options));
}

}  // namespace workpool::client
