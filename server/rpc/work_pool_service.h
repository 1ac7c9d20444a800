// The service WorkPool of workpool.proto: convert, call the dispatcher, convert back.
#pragma once

#include <cstdint>

#include "jobs/dispatcher.h"
#include "rpc/arena_messages.h"
#include "rpc/live_calls.h"
#include "rpc/post_stream.h"
#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::rpc {

// As the generated CallbackService, but the messages of a post stream stay bytes.
template <typename Service>
using CallsOfJobs =
    v1::WorkPool::WithCallbackMethod_RunWork<v1::WorkPool::WithCallbackMethod_GetJob<
        v1::WorkPool::WithCallbackMethod_WaitJob<v1::WorkPool::WithCallbackMethod_ListJobs<
            v1::WorkPool::WithCallbackMethod_CancelJobs<Service>>>>>;
using WorkPoolCalls =
    v1::WorkPool::WithCallbackMethod_PostWork<v1::WorkPool::WithCallbackMethod_PostWorkBatch<
        v1::WorkPool::WithRawCallbackMethod_PostWorkStream<CallsOfJobs<v1::WorkPool::Service>>>>;

class WorkPoolService final : public WorkPoolCalls {
 public:
  // All must outlive the server that this is registered with.
  WorkPoolService(Dispatcher& dispatcher, LiveCalls& live, const StreamWindow& window)
      : dispatcher_(dispatcher), live_(live), window_(window) {
    SetMessageAllocatorFor_PostWork(&post_messages_);
    SetMessageAllocatorFor_PostWorkBatch(&batch_messages_);
  }

  grpc::ServerUnaryReactor* PostWork(grpc::CallbackServerContext* context,
                                     const v1::PostWorkRequest* request,
                                     v1::PostWorkResponse* response) override;
  grpc::ServerUnaryReactor* PostWorkBatch(grpc::CallbackServerContext* context,
                                          const v1::PostWorkBatchRequest* request,
                                          v1::PostWorkBatchResponse* response) override;
  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* PostWorkStream(
      grpc::CallbackServerContext* context) override;
  grpc::ServerUnaryReactor* RunWork(grpc::CallbackServerContext* context,
                                    const v1::RunWorkRequest* request,
                                    v1::RunWorkResponse* response) override;
  grpc::ServerUnaryReactor* GetJob(grpc::CallbackServerContext* context,
                                   const v1::GetJobRequest* request,
                                   v1::GetJobResponse* response) override;
  grpc::ServerUnaryReactor* WaitJob(grpc::CallbackServerContext* context,
                                    const v1::WaitJobRequest* request,
                                    v1::WaitJobResponse* response) override;
  grpc::ServerUnaryReactor* ListJobs(grpc::CallbackServerContext* context,
                                     const v1::ListJobsRequest* request,
                                     v1::ListJobsResponse* response) override;
  grpc::ServerUnaryReactor* CancelJobs(grpc::CallbackServerContext* context,
                                       const v1::CancelJobsRequest* request,
                                       v1::CancelJobsResponse* response) override;

 private:
  ArenaMessages<v1::PostWorkRequest, v1::PostWorkResponse, 1024> post_messages_;
  ArenaMessages<v1::PostWorkBatchRequest, v1::PostWorkBatchResponse, 4096> batch_messages_;
  Dispatcher& dispatcher_;
  LiveCalls& live_;
  const StreamWindow window_;
};

}  // namespace workpool::rpc
