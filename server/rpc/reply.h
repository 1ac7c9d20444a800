// Answers a call that needs no waiting.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include "base/error.h"
#include "rpc/status.h"

namespace workpool::rpc {

inline grpc::ServerUnaryReactor* Reply(grpc::CallbackServerContext& context,
                                       const Result<void>& result) {
  grpc::ServerUnaryReactor* reactor = context.DefaultReactor();
  reactor->Finish(result ? grpc::Status::OK : ToStatus(result.error(), context));
  return reactor;
}

}  // namespace workpool::rpc
