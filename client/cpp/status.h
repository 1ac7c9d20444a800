// gRPC statuses to this library's errors.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <optional>
#include <string>

#include "workpool/client/error.h"

namespace workpool::client {

// `status` must not be OK. Reads the reason and the push-back from the trailing metadata, so the
// call must have ended.
Error ErrorOf(const grpc::Status& status, const grpc::ClientContext& context);

// An error of this library's own.
std::unexpected<Error> Refuse(StatusCode code, std::string message);

// True for the one refusal that makes sense to try again.
bool IsQueueFull(const Error& error);

// How long the daemon asks to wait; at least 1 ms.
std::chrono::milliseconds PushBackOf(const Error& error);

}  // namespace workpool::client
