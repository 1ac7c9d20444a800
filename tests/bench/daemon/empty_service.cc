#include "empty_service.h"

#include <grpcpp/grpcpp.h>
#include <signal.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <mutex>

#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::bench {
namespace {

std::atomic<std::uint64_t> last_id{0};

// Answers each message of a stream; reads on while an answer is being written.
class StreamReactor final
    : public grpc::ServerBidiReactor<v1::PostWorkStreamRequest, v1::PostWorkStreamResponse> {
 public:
  StreamReactor() { StartRead(&request_); }

  void OnReadDone(bool ok) override {
    const std::scoped_lock lock(mutex_);
    if (ok) {
      for (int i = 0; i < request_.work_size(); ++i) {
        auto& result = *waiting_.add_results();
        result.set_sequence(request_.first_sequence() + static_cast<std::uint64_t>(i));
        result.set_id(++last_id);
      }
      StartRead(&request_);
    } else {
      reads_done_ = true;
    }
    Advance();
  }

  void OnWriteDone(bool ok) override {
    const std::scoped_lock lock(mutex_);
    writing_ = false;
    if (!ok) waiting_.Clear();
    Advance();
  }

  void OnDone() override { delete this; }

 private:
  void Advance() {
    if (writing_ || finished_) return;
    if (waiting_.results_size() > 0) {
      writing_ = true;
      response_.Swap(&waiting_);
      waiting_.Clear();
      StartWrite(&response_);
    } else if (reads_done_) {
      finished_ = true;
      Finish(grpc::Status::OK);
    }
  }

  std::mutex mutex_;
  v1::PostWorkStreamRequest request_;
  v1::PostWorkStreamResponse waiting_, response_;
  bool writing_ = false, reads_done_ = false, finished_ = false;
};

class EmptyService final : public v1::WorkPool::CallbackService {
 public:
  grpc::ServerUnaryReactor* PostWork(grpc::CallbackServerContext* context,
                                     const v1::PostWorkRequest*,
                                     v1::PostWorkResponse* response) override {
    response->set_id(++last_id);
    return Done(context);
  }

  // With as many fields as workpool answers for a noop.
  grpc::ServerUnaryReactor* RunWork(grpc::CallbackServerContext* context,
                                    const v1::RunWorkRequest* request,
                                    v1::RunWorkResponse* response) override {
    auto& job = *response->mutable_job();
    job.set_id(++last_id);
    job.set_handler(request->work().handler());
    job.set_pool("default");
    job.set_state(v1::JOB_STATE_SUCCEEDED);
    job.set_attempt(1);
    job.set_max_attempts(1);
    job.set_priority(5);
    job.set_weight(1);
    job.set_payload_bytes(request->work().payload().size());
    for (auto* time :
         {job.mutable_accepted_at(), job.mutable_started_at(), job.mutable_finished_at()}) {
      time->set_seconds(1);
      time->set_nanos(1);
    }
    job.mutable_queue_wait()->set_nanos(1);
    job.mutable_run_time()->set_nanos(1);
    return Done(context);
  }

  grpc::ServerUnaryReactor* PostWorkBatch(grpc::CallbackServerContext* context,
                                          const v1::PostWorkBatchRequest* request,
                                          v1::PostWorkBatchResponse* response) override {
    response->mutable_results()->Reserve(request->work_size());
    for (int i = 0; i < request->work_size(); ++i) response->add_results()->set_id(++last_id);
    return Done(context);
  }

  grpc::ServerBidiReactor<v1::PostWorkStreamRequest, v1::PostWorkStreamResponse>* PostWorkStream(
      grpc::CallbackServerContext*) override {
    return new StreamReactor;
  }

 private:
  static grpc::ServerUnaryReactor* Done(grpc::CallbackServerContext* context) {
    auto* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
};

}  // namespace

int ServeEmpty() {
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &term, nullptr);  // before any thread starts

  EmptyService service;
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  const auto server = builder.BuildAndStart();
  if (!server || port == 0) return 1;
  std::printf("empty-grpc ready grpc=127.0.0.1:%d http=off\n", port);
  std::fflush(stdout);
  int signal = 0;
  sigwait(&term, &signal);
  server->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(1));
  return 0;
}

}  // namespace workpool::bench
