// A client's blocking posts, batches and runs.
#include <algorithm>
#include <utility>

#include "client_impl.h"
#include "convert.h"

namespace workpool::client {

namespace {

using Stub = v1::WorkPool::Stub;

// The items of a batch that are to be sent, by their places, and the outcomes of all.
struct Batch {
  explicit Batch(std::span<const Work> all) : work(all) {
    outcomes.reserve(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto checked = CheckWork(all[i]);
      if (checked) places.push_back(i);
      outcomes.push_back(checked ? Result<Posted>() : std::unexpected(checked.error()));
    }
  }

  // False if every item is refused already.
  bool HasToSend() const { return !places.empty() || work.empty(); }

  v1::PostWorkBatchRequest Request() const {
    v1::PostWorkBatchRequest request;
    request.mutable_work()->Reserve(static_cast<int>(places.size()));
    for (const std::size_t place : places) Fill(work[place], request.add_work());
    return request;
  }

  void Take(BatchResult answers) {
    for (std::size_t i = 0; i < places.size(); ++i) outcomes[places[i]] = std::move(answers[i]);
  }

  void Fail(const Error& error) {
    for (const std::size_t place : places) outcomes[place] = std::unexpected(error);
  }

  // Leaves those that make sense to try again; answers the longest pause that one asks for.
  std::chrono::milliseconds KeepFull() {
    std::chrono::milliseconds pause{0};
    std::erase_if(places, [&](std::size_t place) {
      const auto& outcome = outcomes[place];
      if (outcome || !IsQueueFull(outcome.error())) return true;
      pause = std::max(pause, PushBackOf(outcome.error()));
      return false;
    });
    return pause;
  }

  std::span<const Work> work;
  std::vector<std::size_t> places;
  BatchResult outcomes;
};

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

}  // namespace

Result<Posted> Client::Post(const Work& work, const CallOptions& options) {
  if (const auto checked = CheckWork(work); !checked) return std::unexpected(checked.error());
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
  if (const auto checked = CheckWork(work); !checked) return std::unexpected(checked.error());
  v1::PostWorkRequest request;
  Fill(work, request.mutable_work());
  request.set_wait(true);
  const SteadyTime deadline = DeadlineIn(options.timeout);
  return JobIn(WithAttempts(impl_->Attempts(options), deadline, options.stop, [&] {
    return impl_->Call(&Stub::PostWork, request, deadline, options);
  }));
}

Result<BatchResult> Client::PostBatch(std::span<const Work> work, const CallOptions& options) {
  Batch batch(work);
  if (!batch.HasToSend()) return std::move(batch.outcomes);
  const SteadyTime deadline = impl_->Deadline(options);
  const unsigned attempts = impl_->Attempts(options);
  for (unsigned made = 1;; ++made) {
    auto answers = OutcomesIn(impl_->Call(&Stub::PostWorkBatch, batch.Request(), deadline, options),
                              batch.places.size());
    if (!answers && made == 1) return std::unexpected(answers.error());
    if (!answers) {
      batch.Fail(answers.error());
      break;
    }
    batch.Take(std::move(*answers));
    const auto pause = batch.KeepFull();
    const bool in_time = deadline == kNever || std::chrono::steady_clock::now() + pause < deadline;
    if (made >= attempts || batch.places.empty() || !in_time || !Pause(pause, options.stop)) break;
  }
  return std::move(batch.outcomes);
}

void Client::PostBatchAsync(std::span<const Work> work, Callback<BatchResult> done,
                            const CallOptions& options) {
  Batch batch(work);
  if (!batch.HasToSend()) return done(std::move(batch.outcomes));
  v1::PostWorkBatchRequest request = batch.Request();
  batch.work = {};  // the caller's, who may let go of it now
  CallLater<AsyncStub, v1::PostWorkBatchRequest, v1::PostWorkBatchResponse>(
      *impl_->stub.async(), impl_->calls, &AsyncStub::PostWorkBatch, std::move(request),
      [callback = std::move(done), sent = std::move(batch)](auto response) mutable {
        auto answers = OutcomesIn(std::move(response), sent.places.size());
        if (!answers) return callback(std::unexpected(answers.error()));
        sent.Take(std::move(*answers));
        callback(std::move(sent.outcomes));
      },
      impl_->Deadline(options), options.stop);
}

Result<Job> Client::Run(const Work& work, const CallOptions& options, bool detach) {
  if (const auto checked = CheckWork(work); !checked) return std::unexpected(checked.error());
  const v1::RunWorkRequest request = RunRequest(work, detach);
  const SteadyTime deadline = DeadlineIn(options.timeout);
  return JobIn(WithAttempts(impl_->Attempts(options), deadline, options.stop, [&] {
    return impl_->Call(&Stub::RunWork, request, deadline, options);
  }));
}

void Client::RunAsync(const Work& work, Callback<Job> done, const CallOptions& options,
                      bool detach) {
  if (const auto checked = CheckWork(work); !checked) {
    return done(std::unexpected(checked.error()));
  }
  CallLater<AsyncStub, v1::RunWorkRequest, v1::RunWorkResponse>(
      *impl_->stub.async(), impl_->calls, &AsyncStub::RunWork, RunRequest(work, detach),
      [callback = std::move(done)](auto response) mutable { callback(JobIn(std::move(response))); },
      DeadlineIn(options.timeout), options.stop);
}

}  // namespace workpool::client
