// RunWork: posts a job, answers with its final state, and cancels it when the client leaves.
#pragma once

#include "base/mutex.h"
#include "jobs/dispatcher.h"
#include "rpc/call.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {

class RunCall final : public Call, public std::enable_shared_from_this<RunCall> {
 public:
  RunCall(LiveCalls& live, grpc::CallbackServerContext& context, Dispatcher& dispatcher,
          v1::RunWorkResponse& response)
      : Call(live, context), dispatcher_(dispatcher), response_(response) {}

  void Start(v1::RunWorkRequest& request);

 private:
  void OnPosted(const Result<Posted>& posted);
  void OnFinished(Result<JobView> view);
  void OnCancel() override;
  bool DeadlineIsNear() const;

  Dispatcher& dispatcher_;
  v1::RunWorkResponse& response_;
  bool detach_ = false;
  SteadyTime started_;
  std::optional<SteadyTime> deadline_;
  Ticket ticket_ = 0;

  Mutex mutex_;
  JobId id_ GUARDED_BY(mutex_) = 0;
  bool cancelled_ GUARDED_BY(mutex_) = false;
};

}  // namespace workpool::rpc
