// PostWork: one post, answered when it is accepted or, with `wait`, when the job has finished.
#pragma once

#include "jobs/dispatcher.h"
#include "rpc/call.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {

class PostCall final : public Call, public std::enable_shared_from_this<PostCall> {
 public:
  PostCall(LiveCalls& live, grpc::CallbackServerContext& context, Dispatcher& dispatcher,
           v1::PostWorkResponse& response)
      : Call(live, context), dispatcher_(dispatcher), response_(response) {}

  void Start(v1::PostWorkRequest& request);

 private:
  void OnPosted(const Result<Posted>& posted);
  void OnFinished(Result<JobView> view);
  void OnCancel() override;

  Dispatcher& dispatcher_;
  v1::PostWorkResponse& response_;
  bool wait_ = false;
  Ticket ticket_ = 0;
};

}  // namespace workpool::rpc
