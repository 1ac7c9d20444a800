// The WorkPool service as a test wants it. By itself it accepts every post and finishes it at once:
// `echo` and every other handler answer the payload, `fail` ends DEAD with the payload as its
// message.
#pragma once

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fakes/call_holder.h"
#include "fakes/eventually.h"
#include "fakes/refusals.h"
#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::fakes {

// Thread safe.
class FakeWorkPool : protected v1::WorkPool::Service {
 public:
  // What becomes of a post: a refusal, or nothing for an acceptance. Called for one post at a time.
  using Judge = std::function<std::optional<v1::PostResult>(const v1::Work&)>;
  using Stream = grpc::ServerReaderWriter<v1::PostWorkStreamResponse, v1::PostWorkStreamRequest>;

  // Calls that wait for jobs and the stream are held up by `holder`.
  explicit FakeWorkPool(CallHolder& holder) : holder_(holder) {}

  // Set before the call that it is for.
  void set_judge(Judge judge) {
    const std::lock_guard lock(mutex_);
    judge_ = std::move(judge);
  }
  // In the place of the stream's ordinary service.
  void set_on_stream(std::function<grpc::Status(grpc::ServerContext&, Stream&)> on_stream) {
    const std::lock_guard lock(mutex_);
    on_stream_ = std::move(on_stream);
  }

  // Everything that was posted, and the stream's messages, in order of arrival.
  std::vector<v1::Work> works() {
    const std::lock_guard lock(mutex_);
    return works_;
  }
  std::vector<v1::PostWorkStreamRequest> messages() {
    const std::lock_guard lock(mutex_);
    return messages_;
  }
  int streams() {
    const std::lock_guard lock(mutex_);
    return streams_;
  }
  // What was asked to be cancelled.
  std::vector<std::string> cancels() {
    const std::lock_guard lock(mutex_);
    return cancels_;
  }

  void Note(const v1::PostWorkStreamRequest& message) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(message);
    changed_.notify_all();
  }
  // Until so many have come; false on a hang.
  bool AwaitMessages(std::size_t count) {
    return Await([&] { return messages_.size() >= count; });
  }
  bool AwaitWorks(std::size_t count) {
    return Await([&] { return works_.size() >= count; });
  }

  v1::PostResult Post(const v1::Work& work) {
    const std::lock_guard lock(mutex_);
    works_.push_back(work);
    changed_.notify_all();
    if (judge_) {
      if (auto refusal = judge_(work)) return *refusal;
    }
    v1::PostResult result;
    result.set_id(++last_id_);
    jobs_[last_id_] = Finished(last_id_, work);
    return result;
  }
  v1::PostWorkStreamResponse AnswerAll(const v1::PostWorkStreamRequest& request) {
    v1::PostWorkStreamResponse response;
    std::uint64_t sequence = request.first_sequence();
    for (const v1::Work& work : request.work()) {
      v1::PostResult& result = *response.add_results();
      result = Post(work);
      result.set_sequence(sequence++);
    }
    return response;
  }

 private:
  template <typename Condition>
  bool Await(Condition condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kHang, condition);
  }

  static v1::Job Finished(std::uint64_t id, const v1::Work& work) {
    v1::Job job;
    job.set_id(id);
    job.set_handler(work.handler());
    job.set_pool(work.pool().empty() ? "default" : work.pool());
    job.set_caller(work.caller());
    job.set_content_type(work.content_type());
    *job.mutable_metadata() = work.metadata();
    job.set_attempt(1);
    job.set_max_attempts(1);
    job.set_priority(work.has_priority() ? work.priority() : 5);
    job.set_weight(work.has_weight() ? work.weight() : 1);
    job.set_payload(work.payload());
    job.set_payload_bytes(work.payload().size());
    job.mutable_accepted_at()->set_seconds(1'700'000'000);
    job.mutable_started_at()->set_seconds(1'700'000'000);
    job.mutable_finished_at()->set_seconds(1'700'000'001);
    job.mutable_queue_wait()->set_nanos(1'000'000);
    job.mutable_run_time()->set_nanos(250'000'000);
    if (work.handler() == "fail") {
      job.set_state(v1::JOB_STATE_DEAD);
      job.mutable_error()->set_code("FAILED");
      job.mutable_error()->set_message(work.payload());
    } else {
      job.set_state(v1::JOB_STATE_SUCCEEDED);
      job.set_result(work.payload());
      job.set_result_bytes(work.payload().size());
    }
    return job;
  }

  grpc::Status Find(std::uint64_t id, grpc::ServerContext& context, v1::Job* job) {
    const std::lock_guard lock(mutex_);
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) {
      return NotFound("UNKNOWN_JOB", "there is no such job", context);
    }
    *job = found->second;
    return grpc::Status::OK;
  }

  grpc::Status PostWork(grpc::ServerContext* context, const v1::PostWorkRequest* request,
                        v1::PostWorkResponse* response) override {
    const v1::PostResult result = Post(request->work());
    if (result.has_refusal()) return StatusOf(result.refusal(), *context);
    response->set_id(result.id());
    if (!request->wait()) return grpc::Status::OK;
    if (!holder_.AwaitRelease(*context)) return grpc::Status::CANCELLED;
    return Find(result.id(), *context, response->mutable_job());
  }

  grpc::Status PostWorkBatch(grpc::ServerContext*, const v1::PostWorkBatchRequest* request,
                             v1::PostWorkBatchResponse* response) override {
    for (const v1::Work& work : request->work()) *response->add_results() = Post(work);
    return grpc::Status::OK;
  }

  grpc::Status PostWorkStream(grpc::ServerContext* context, Stream* stream) override {
    std::function<grpc::Status(grpc::ServerContext&, Stream&)> on_stream;
    {
      const std::lock_guard lock(mutex_);
      ++streams_;
      on_stream = on_stream_;
    }
    if (on_stream) return on_stream(*context, *stream);
    v1::PostWorkStreamRequest request;
    while (stream->Read(&request)) {
      Note(request);
      if (!holder_.AwaitRelease(*context)) return grpc::Status::CANCELLED;
      stream->Write(AnswerAll(request));
    }
    return grpc::Status::OK;
  }

  grpc::Status RunWork(grpc::ServerContext* context, const v1::RunWorkRequest* request,
                       v1::RunWorkResponse* response) override {
    const v1::PostResult result = Post(request->work());
    if (result.has_refusal()) return StatusOf(result.refusal(), *context);
    if (!holder_.AwaitRelease(*context)) return grpc::Status::CANCELLED;
    return Find(result.id(), *context, response->mutable_job());
  }

  grpc::Status GetJob(grpc::ServerContext* context, const v1::GetJobRequest* request,
                      v1::GetJobResponse* response) override {
    const grpc::Status status = Find(request->id(), *context, response->mutable_job());
    if (!request->with_payload()) response->mutable_job()->clear_payload();
    return status;
  }

  grpc::Status WaitJob(grpc::ServerContext* context, const v1::WaitJobRequest* request,
                       v1::WaitJobResponse* response) override {
    if (!holder_.AwaitRelease(*context)) return grpc::Status::CANCELLED;
    return Find(request->id(), *context, response->mutable_job());
  }

  // Two pages of the finished jobs; the token is the next id.
  grpc::Status ListJobs(grpc::ServerContext*, const v1::ListJobsRequest* request,
                        v1::ListJobsResponse* response) override {
    const std::lock_guard lock(mutex_);
    const std::uint64_t from =
        request->page_token().empty() ? ~std::uint64_t{0} : std::stoull(request->page_token());
    const auto size = static_cast<int>(request->has_page_size() ? request->page_size() : 100);
    for (auto job = jobs_.rbegin(); job != jobs_.rend(); ++job) {
      if (job->first > from || !Matches(request->filter(), job->second)) continue;
      if (response->jobs_size() == size) {
        response->set_next_page_token(std::to_string(job->first));
        break;
      }
      *response->add_jobs() = job->second;
      response->mutable_jobs(response->jobs_size() - 1)->clear_result();
    }
    return grpc::Status::OK;
  }

  static bool Matches(const v1::JobFilter& filter, const v1::Job& job) {
    if (!filter.handler().empty() && filter.handler() != job.handler()) return false;
    if (!filter.pool().empty() && filter.pool() != job.pool()) return false;
    for (const auto state : filter.states()) {
      if (state == job.state()) return true;
    }
    return filter.states().empty();
  }

  grpc::Status CancelJobs(grpc::ServerContext*, const v1::CancelJobsRequest* request,
                          v1::CancelJobsResponse* response) override {
    const std::lock_guard lock(mutex_);
    cancels_.push_back(request->ShortDebugString());
    for (const std::uint64_t id : request->ids()) {
      if (jobs_.contains(id)) {
        response->set_cancelled(response->cancelled() + 1);
      } else {
        response->add_not_found(id);
      }
    }
    return grpc::Status::OK;
  }

  CallHolder& holder_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Judge judge_;
  std::function<grpc::Status(grpc::ServerContext&, Stream&)> on_stream_;
  int streams_ = 0;
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, v1::Job> jobs_;
  std::vector<v1::Work> works_;
  std::vector<v1::PostWorkStreamRequest> messages_;
  std::vector<std::string> cancels_;
};

}  // namespace workpool::fakes
