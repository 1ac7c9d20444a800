// How a daemon refuses, for those that stand in for one.
#pragma once

#include <grpcpp/server_context.h>

#include <string>

#include "workpool/v1/workpool.pb.h"

namespace workpool::fakes {

inline v1::PostResult Refusal(grpc::StatusCode code, const std::string& reason,
                              const std::string& message, int retry_after_ms = 0) {
  v1::PostResult result;
  result.mutable_refusal()->set_code(code);
  result.mutable_refusal()->set_reason(reason);
  result.mutable_refusal()->set_message(message);
  if (retry_after_ms > 0) {
    result.mutable_refusal()->mutable_retry_after()->set_nanos(retry_after_ms * 1'000'000);
  }
  return result;
}

inline v1::PostResult QueueFull(int retry_after_ms = 1) {
  return Refusal(grpc::StatusCode::RESOURCE_EXHAUSTED, "QUEUE_FULL", "the pool is full",
                 retry_after_ms);
}

// What a unary call answers for a refusal.
inline grpc::Status StatusOf(const v1::PostRefusal& refusal, grpc::ServerContext& context) {
  if (!refusal.reason().empty()) context.AddTrailingMetadata("workpool-reason", refusal.reason());
  if (refusal.has_retry_after()) {
    context.AddTrailingMetadata("grpc-retry-pushback-ms",
                                std::to_string(refusal.retry_after().nanos() / 1'000'000));
  }
  return {static_cast<grpc::StatusCode>(refusal.code()), refusal.message()};
}

inline grpc::Status NotFound(const std::string& reason, const std::string& message,
                             grpc::ServerContext& context) {
  return StatusOf(Refusal(grpc::StatusCode::NOT_FOUND, reason, message).refusal(), context);
}

}  // namespace workpool::fakes
