// A daemon in the test's process that speaks the protocol and does what the test says. By itself it
// accepts every post and finishes it at once: `echo` and every other handler answer the payload,
// `fail` ends DEAD with the payload as its message.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workpool/v1/admin.grpc.pb.h"
#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::fakes {

inline v1::PostResult Refusal(grpc::StatusCode code, const std::string& reason,
                              const std::string& message, int retry_after_ms = 0) {
  v1::PostResult result;
  result.mutable_refusal()->set_code(code);
  result.mutable_refusal()->set_reason(reason);
  result.mutable_refusal()->set_message(message);
  if (retry_after_ms > 0) {
    result.mutable_refusal()->mutable_retry_after()->set_nanos(retry_after_ms * 1'000'000);
  }
  return result;
}

inline v1::PostResult QueueFull(int retry_after_ms = 1) {
  return Refusal(grpc::StatusCode::RESOURCE_EXHAUSTED, "QUEUE_FULL", "the pool is full",
                 retry_after_ms);
}

// What a unary call answers for a refusal.
inline grpc::Status StatusOf(const v1::PostRefusal& refusal, grpc::ServerContext& context) {
  if (!refusal.reason().empty()) context.AddTrailingMetadata("workpool-reason", refusal.reason());
  if (refusal.has_retry_after()) {
    context.AddTrailingMetadata("grpc-retry-pushback-ms",
                                std::to_string(refusal.retry_after().nanos() / 1'000'000));
  }
  return {static_cast<grpc::StatusCode>(refusal.code()), refusal.message()};
}

class FakeWorkpoolServer final : private v1::WorkPool::Service, private v1::Admin::Service {
 public:
  // What becomes of a post: a refusal, or nothing for an acceptance. Called for one post at a time.
  using Judge = std::function<std::optional<v1::PostResult>(const v1::Work&)>;
  using Stream = grpc::ServerReaderWriter<v1::PostWorkStreamResponse, v1::PostWorkStreamRequest>;

  FakeWorkpoolServer() { Start("127.0.0.1:0"); }
  ~FakeWorkpoolServer() override { Stop(); }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  // Ends every call. A later Start listens on the same port.
  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      changed_.notify_all();
    }
    if (server_) server_->Shutdown(std::chrono::system_clock::now());
    server_.reset();
  }
  void Restart() { Start(address()); }

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
  // In the place of every Admin call's answer.
  void set_admin_status(grpc::Status status, std::string reason) {
    const std::lock_guard lock(mutex_);
    admin_status_ = std::move(status);
    admin_reason_ = std::move(reason);
  }
  // While held, streams are not read and jobs do not finish.
  void Hold() { SetHeld(true); }
  void Release() { SetHeld(false); }

  v1::Pool& pool() { return pool_; }

  // Everything that was posted, and the stream's messages, in order of arrival.
  std::vector<v1::Work> works() {
    const std::lock_guard lock(mutex_);
    return works_;
  }
  std::vector<v1::PostWorkStreamRequest> messages() {
    const std::lock_guard lock(mutex_);
    return messages_;
  }
  int streams() const { return streams_; }
  std::vector<std::string> admin_calls() {
    const std::lock_guard lock(mutex_);
    return admin_calls_;
  }

  void Note(const v1::PostWorkStreamRequest& message) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(message);
    changed_.notify_all();
  }
  // Blocks until `condition`, called under the lock that guards what was noted, holds.
  template <typename Condition>
  bool Await(Condition condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), condition);
  }
  bool AwaitMessages(std::size_t count) {
    return Await([&] { return messages_.size() >= count; });
  }

  v1::PostResult Post(const v1::Work& work) {
    const std::lock_guard lock(mutex_);
    works_.push_back(work);
    if (judge_) {
      if (auto refusal = judge_(work)) return *refusal;
    }
    v1::PostResult result;
    result.set_id(++last_id_);
    jobs_[last_id_] = Finished(last_id_, work);
    changed_.notify_all();
    return result;
  }

 private:
  void Start(const std::string& address) {
    stopping_ = false;
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port_);
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.SetMaxReceiveMessageSize(64 * 1024 * 1024);
    builder.RegisterService(static_cast<v1::WorkPool::Service*>(this));
    builder.RegisterService(static_cast<v1::Admin::Service*>(this));
    server_ = builder.BuildAndStart();
  }

  void SetHeld(bool held) {
    const std::lock_guard lock(mutex_);
    held_ = held;
    changed_.notify_all();
  }
  // False if the call was ended meanwhile.
  bool AwaitRelease(grpc::ServerContext& context) {
    std::unique_lock lock(mutex_);
    while (held_ && !stopping_ && !context.IsCancelled()) {
      changed_.wait_for(lock, std::chrono::milliseconds(5));
    }
    return !stopping_ && !context.IsCancelled();
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
      return StatusOf(
          Refusal(grpc::StatusCode::NOT_FOUND, "UNKNOWN_JOB", "there is no such job").refusal(),
          context);
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
    if (!AwaitRelease(*context)) return grpc::Status::CANCELLED;
    return Find(result.id(), *context, response->mutable_job());
  }

  grpc::Status PostWorkBatch(grpc::ServerContext*, const v1::PostWorkBatchRequest* request,
                             v1::PostWorkBatchResponse* response) override {
    for (const v1::Work& work : request->work()) *response->add_results() = Post(work);
    return grpc::Status::OK;
  }

  grpc::Status PostWorkStream(grpc::ServerContext* context, Stream* stream) override {
    ++streams_;
    std::function<grpc::Status(grpc::ServerContext&, Stream&)> on_stream;
    {
      const std::lock_guard lock(mutex_);
      on_stream = on_stream_;
    }
    if (on_stream) return on_stream(*context, *stream);
    v1::PostWorkStreamRequest request;
    while (stream->Read(&request)) {
      Note(request);
      if (!AwaitRelease(*context)) return grpc::Status::CANCELLED;
      stream->Write(AnswerAll(request));
    }
    return grpc::Status::OK;
  }

 public:
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
  grpc::Status RunWork(grpc::ServerContext* context, const v1::RunWorkRequest* request,
                       v1::RunWorkResponse* response) override {
    const v1::PostResult result = Post(request->work());
    if (result.has_refusal()) return StatusOf(result.refusal(), *context);
    if (!AwaitRelease(*context)) return grpc::Status::CANCELLED;
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
    if (!AwaitRelease(*context)) return grpc::Status::CANCELLED;
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
    admin_calls_.push_back("CancelJobs " + request->ShortDebugString());
    for (const std::uint64_t id : request->ids()) {
      if (jobs_.contains(id)) {
        response->set_cancelled(response->cancelled() + 1);
      } else {
        response->add_not_found(id);
      }
    }
    return grpc::Status::OK;
  }

  // Admin: notes the call; answers `pool()` for the pool of that name.
  grpc::Status Asked(const std::string& call, const std::string& argument,
                     grpc::ServerContext& context) {
    const std::lock_guard lock(mutex_);
    admin_calls_.push_back(argument.empty() ? call : call + " " + argument);
    if (!admin_status_.ok() && !admin_reason_.empty()) {
      context.AddTrailingMetadata("workpool-reason", admin_reason_);
    }
    return admin_status_;
  }
  grpc::Status AskedFor(const std::string& call, const std::string& name,
                        grpc::ServerContext& context, v1::Pool* answer) {
    const grpc::Status status = Asked(call, name, context);
    if (!status.ok()) return status;
    if (name != pool_.name()) {
      return StatusOf(
          Refusal(grpc::StatusCode::NOT_FOUND, "UNKNOWN_POOL", "there is no pool \"" + name + "\"")
              .refusal(),
          context);
    }
    *answer = pool_;
    return status;
  }

  grpc::Status ListPools(grpc::ServerContext* context, const v1::ListPoolsRequest*,
                         v1::ListPoolsResponse* response) override {
    *response->add_pools() = pool_;
    return Asked("ListPools", "", *context);
  }
  grpc::Status GetPool(grpc::ServerContext* context, const v1::GetPoolRequest* request,
                       v1::GetPoolResponse* response) override {
    return AskedFor("GetPool", request->pool(), *context, response->mutable_pool());
  }
  grpc::Status ResizePool(grpc::ServerContext* context, const v1::ResizePoolRequest* request,
                          v1::ResizePoolResponse* response) override {
    Asked("ResizePool", request->ShortDebugString(), *context);
    if (request->has_workers()) pool_.set_workers(request->workers());
    return AskedFor("ResizePool", request->pool(), *context, response->mutable_pool());
  }
  grpc::Status PausePool(grpc::ServerContext* context, const v1::PausePoolRequest* request,
                         v1::PausePoolResponse* response) override {
    return AskedFor("PausePool", request->pool(), *context, response->mutable_pool());
  }
  grpc::Status ResumePool(grpc::ServerContext* context, const v1::ResumePoolRequest* request,
                          v1::ResumePoolResponse* response) override {
    return AskedFor("ResumePool", request->pool(), *context, response->mutable_pool());
  }
  grpc::Status DrainPool(grpc::ServerContext* context, const v1::DrainPoolRequest* request,
                         v1::DrainPoolResponse* response) override {
    if (!AwaitRelease(*context)) return grpc::Status::CANCELLED;
    return AskedFor("DrainPool", request->pool(), *context, response->mutable_pool());
  }
  grpc::Status PurgePool(grpc::ServerContext* context, const v1::PurgePoolRequest* request,
                         v1::PurgePoolResponse* response) override {
    v1::Pool pool;
    response->set_purged(7);
    return AskedFor("PurgePool", request->pool(), *context, &pool);
  }
  grpc::Status ListHandlers(grpc::ServerContext* context, const v1::ListHandlersRequest*,
                            v1::ListHandlersResponse* response) override {
    v1::Handler& handler = *response->add_handlers();
    handler.set_name("checksum");
    handler.set_pool("default");
    handler.set_kind(v1::Handler::KIND_COMMAND);
    handler.add_exec("sha256sum");
    handler.mutable_timeout()->set_seconds(30);
    handler.set_max_attempts(1);
    return Asked("ListHandlers", "", *context);
  }
  grpc::Status GetServerInfo(grpc::ServerContext* context, const v1::GetServerInfoRequest*,
                             v1::GetServerInfoResponse* response) override {
    response->set_version("0.1.0");
    response->set_store("memory");
    response->set_pid(42);
    response->set_cores(1.5);
    response->set_max_payload_bytes(3 * 1024 * 1024);
    return Asked("GetServerInfo", "", *context);
  }
  grpc::Status ReloadConfig(grpc::ServerContext* context, const v1::ReloadConfigRequest*,
                            v1::ReloadConfigResponse* response) override {
    response->add_applied("pools.default.workers: 2 -> 4");
    response->add_needs_restart("server.listen");
    return Asked("ReloadConfig", "", *context);
  }
  // As many readings as the client takes, one after the other.
  grpc::Status WatchStats(grpc::ServerContext* context, const v1::WatchStatsRequest* request,
                          grpc::ServerWriter<v1::WatchStatsResponse>* writer) override {
    const grpc::Status status = Asked("WatchStats", request->ShortDebugString(), *context);
    if (!status.ok()) return status;
    v1::WatchStatsResponse reading;
    reading.mutable_at()->set_seconds(1'700'000'000);
    *reading.add_pools()->mutable_pool() = pool_;
    reading.mutable_pools(0)->set_accepted_per_second(12.5);
    while (!context->IsCancelled() && writer->Write(reading)) {
    }
    return grpc::Status::CANCELLED;
  }

  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
  v1::Pool pool_;
  std::atomic<int> streams_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool held_ = false;
  bool stopping_ = false;
  Judge judge_;
  std::function<grpc::Status(grpc::ServerContext&, Stream&)> on_stream_;
  grpc::Status admin_status_;
  std::string admin_reason_;
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, v1::Job> jobs_;
  std::vector<v1::Work> works_;
  std::vector<v1::PostWorkStreamRequest> messages_;
  std::vector<std::string> admin_calls_;
};

}  // namespace workpool::fakes
