// DrainPool: answers when nothing is queued or active. The pool goes on draining when the client
// has left.
#pragma once

#include <string>

#include "jobs/dispatcher.h"
#include "rpc/call.h"
#include "workpool/v1/admin.pb.h"

namespace workpool::rpc {

class DrainCall final : public Call, public std::enable_shared_from_this<DrainCall> {
 public:
  DrainCall(LiveCalls& live, grpc::CallbackServerContext& context, Dispatcher& dispatcher,
            v1::DrainPoolResponse& response)
      : Call(live, context), dispatcher_(dispatcher), response_(response) {}

  void Start(const std::string& pool);

 private:
  void OnDrained(const std::string& pool, const Result<void>& result);

  Dispatcher& dispatcher_;
  v1::DrainPoolResponse& response_;
};

}  // namespace workpool::rpc
