// ReloadConfig: reads a file, so it runs on a thread that may block.
#pragma once

#include "jobs/control.h"
#include "rpc/call.h"
#include "rpc/task_thread.h"
#include "workpool/v1/admin.pb.h"

namespace workpool::rpc {

class ReloadCall final : public Call, public std::enable_shared_from_this<ReloadCall> {
 public:
  ReloadCall(LiveCalls& live, grpc::CallbackServerContext& context, ServerControl& control,
             v1::ReloadConfigResponse& response)
      : Call(live, context), control_(control), response_(response) {}

  void Start(TaskThread& thread) {
    thread.Run([self = shared_from_this()] { self->Reload(); });
  }

 private:
  void Reload();

  ServerControl& control_;
  v1::ReloadConfigResponse& response_;
};

}  // namespace workpool::rpc
