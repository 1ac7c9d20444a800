// Errors as gRPC clients see them. The one place that knows the table of statuses and reasons.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <string_view>

#include "base/error.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {

grpc::StatusCode StatusCodeOf(ErrorCode code);

// The word of `workpool-reason`. Empty where the status speaks for itself: for kShuttingDown and
// kInternal, whose outcome is not known to be "nothing was accepted".
std::string_view WireReasonOf(ErrorCode code);

// The status of a call; adds `workpool-reason` and, with kQueueFull, `grpc-retry-pushback-ms` to
// the trailing metadata. Call at most once a call, before Finish.
grpc::Status ToStatus(const Error& error, grpc::ServerContextBase& context);

// The same for one item of a batch or stream.
void ToProto(const Error& error, v1::PostRefusal& refusal);

}  // namespace workpool::rpc
