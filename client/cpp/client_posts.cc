// A client's blocking posts, batches and runs.
#include <utility>

#include "client_impl.h"
#include "convert.h"

namespace workpool::client {

namespace {

using Stub = v1::WorkPool::Stub;

v1::PostWorkBatchRequest BatchRequest(std::span<const Work> work) {
  v1::PostWorkBatchRequest request;
  request.mutable_work()->Reserve(static_cast<int>(work.size()));
  for (const Work& item : work) Fill(item, request.add_work());
  return request;
}

Result<BatchResult> OutcomesIn(Result<v1::PostWorkBatchResponse> response, std::size_t expected) {
  if (!response) return std::unexpected(std::move(response.error()));
  if (static_cast<std::size_t>(response->results_size()) != expected) {
    return Refuse(StatusCode::kInternal, "the daemon answered another number of results");
  }
  BatchResult outcomes;
  outcomes.reserve(expected);
  for (v1::PostResult& result : *response->mutable_results()) {
    outcomes.push_back(OutcomeOf(std::move(result)));
  }
  return outcomes;
}

v1::RunWorkRequest RunRequest(const Work& work, bool detach) {
  v1::RunWorkRequest request;
  Fill(work, request.mutable_work());
  request.set_detach(detach);
  return request;
}

// The places of the items that make sense to try again, and the longest pause that one asks for.
struct Refused {
  std::vector<std::size_t> places;
  std::chrono::milliseconds pause{0};
};

Refused FullIn(const BatchResult& outcomes) {
  Refused refused;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i] || !IsQueueFull(outcomes[i].error())) continue;
    refused.places.push_back(i);
    refused.pause = std::max(refused.pause, PushBackOf(outcomes[i].error()));
  }
  return refused;
}

}  // namespace

Result<Posted> Client::Post(const Work& work, const CallOptions& options) {
  v1::PostWorkRequest request;
  Fill(work, request.mutable_work());
  const SteadyTime deadline = impl_->Deadline(options);
  const auto response = WithAttempts(impl_->Attempts(options), deadline, options.stop, [&] {
    return impl_->Call(&Stub::PostWork, request, deadline, options);
  });
  if (!response) return std::unexpected(response.error());
  return Posted{response->id(), response->duplicate()};
}

Result<Job> Client::PostAndWait(const Work& work, const CallOptions& options) {
  v1::PostWorkRequest request;
  Fill(work, request.mutable_work());
  request.set_wait(true);
  const SteadyTime deadline = DeadlineIn(options.timeout);
  return JobIn(WithAttempts(impl_->Attempts(options), deadline, options.stop, [&] {
    return impl_->Call(&Stub::PostWork, request, deadline, options);
  }));
}

Result<BatchResult> Client::PostBatch(std::span<const Work> work, const CallOptions& options) {
  const SteadyTime deadline = impl_->Deadline(options);
  auto outcomes = OutcomesIn(
      impl_->Call(&Stub::PostWorkBatch, BatchRequest(work), deadline, options), work.size());
  const unsigned attempts = impl_->Attempts(options);
  for (unsigned made = 1; outcomes && made < attempts; ++made) {
    const Refused refused = FullIn(*outcomes);
    const bool in_time =
        deadline == kNever || std::chrono::steady_clock::now() + refused.pause < deadline;
    if (refused.places.empty() || !in_time || !Pause(refused.pause, options.stop)) break;
    std::vector<Work> again;
    again.reserve(refused.places.size());
    for (const std::size_t place : refused.places) again.push_back(work[place]);
    auto more = OutcomesIn(
        impl_->Call(&Stub::PostWorkBatch, BatchRequest(again), deadline, options), again.size());
    for (std::size_t i = 0; i < again.size(); ++i) {
      auto& outcome = (*outcomes)[refused.places[i]];
      outcome = more ? std::move((*more)[i]) : std::unexpected(more.error());
    }
    if (!more) break;
  }
  return outcomes;
}

void Client::PostBatchAsync(std::span<const Work> work, Callback<BatchResult> done,
                            const CallOptions& options) {
  CallLater<AsyncStub, v1::PostWorkBatchRequest, v1::PostWorkBatchResponse>(
      *impl_->stub.async(), impl_->calls, &AsyncStub::PostWorkBatch, BatchRequest(work),
      [callback = std::move(done), expected = work.size()](auto response) mutable {
        callback(OutcomesIn(std::move(response), expected));
      },
      impl_->Deadline(options), options.stop);
}

Result<Job> Client::Run(const Work& work, const CallOptions& options, bool detach) {
  const v1::RunWorkRequest request = RunRequest(work, detach);
  const SteadyTime deadline = DeadlineIn(options.timeout);
  return JobIn(WithAttempts(impl_->Attempts(options), deadline, options.stop, [&] {
    return impl_->Call(&Stub::RunWork, request, deadline, options);
  }));
}

void Client::RunAsync(const Work& work, Callback<Job> done, const CallOptions& options,
                      bool detach) {
  CallLater<AsyncStub, v1::RunWorkRequest, v1::RunWorkResponse>(
      *impl_->stub.async(), impl_->calls, &AsyncStub::RunWork, RunRequest(work, detach),
      [callback = std::move(done)](auto response) mutable { callback(JobIn(std::move(response))); },
      DeadlineIn(options.timeout), options.stop);
}

}  // namespace workpool::client
