// WaitJob: answers when a job has finished.
#pragma once

#include "jobs/dispatcher.h"
#include "rpc/call.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {

class WaitCall final : public Call, public std::enable_shared_from_this<WaitCall> {
 public:
  WaitCall(LiveCalls& live, grpc::CallbackServerContext& context, Dispatcher& dispatcher,
           v1::WaitJobResponse& response)
      : Call(live, context), dispatcher_(dispatcher), response_(response) {}

  void Start(JobId id);

 private:
  void OnFinished(Result<JobView> view);
  void OnCancel() override;

  Dispatcher& dispatcher_;
  v1::WaitJobResponse& response_;
  Ticket ticket_ = 0;
};

}  // namespace workpool::rpc
