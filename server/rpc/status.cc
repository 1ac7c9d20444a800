#include "rpc/status.h"

#include <algorithm>
#include <string>

#include "base/names.h"
#include "rpc/time_convert.h"

namespace workpool::rpc {
namespace {

// A status message travels in HTTP/2 headers, which stock clients limit to 8 KiB and which grow
// threefold when every byte is percent-encoded.
constexpr std::size_t kStatusMessageBytes = 2000;
// 10,000 refusals must fit a stock client's 4 MiB.
constexpr std::size_t kItemMessageBytes = 300;

}  // namespace

grpc::StatusCode StatusCodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kQueueFull:
    case ErrorCode::kKeysFull: return grpc::StatusCode::RESOURCE_EXHAUSTED;
    case ErrorCode::kWaitTimeout: return grpc::StatusCode::DEADLINE_EXCEEDED;
    case ErrorCode::kPayloadTooLarge:
    case ErrorCode::kBadField:
    case ErrorCode::kBadConfig: return grpc::StatusCode::INVALID_ARGUMENT;
    case ErrorCode::kDraining:
    case ErrorCode::kStoreUnavailable:
    case ErrorCode::kShuttingDown: return grpc::StatusCode::UNAVAILABLE;
    case ErrorCode::kUnknownPool:
    case ErrorCode::kUnknownHandler:
    case ErrorCode::kUnknownJob:
    case ErrorCode::kJobForgotten: return grpc::StatusCode::NOT_FOUND;
    case ErrorCode::kKeyTaken:
    case ErrorCode::kStaleLease:
    case ErrorCode::kWrongState: return grpc::StatusCode::FAILED_PRECONDITION;
    case ErrorCode::kNotServed: return grpc::StatusCode::UNIMPLEMENTED;
    case ErrorCode::kCancelled: return grpc::StatusCode::CANCELLED;
    case ErrorCode::kInternal: return grpc::StatusCode::INTERNAL;
  }
  return grpc::StatusCode::INTERNAL;
}

std::string_view WireReasonOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kShuttingDown:
    case ErrorCode::kInternal: return {};
    case ErrorCode::kBadConfig: return ReasonOf(ErrorCode::kBadField);
    default: return ReasonOf(code);
  }
}

grpc::Status ToStatus(const Error& error, grpc::ServerContextBase& context) {
  const std::string_view reason = WireReasonOf(error.code);
  if (!reason.empty()) context.AddTrailingMetadata("workpool-reason", std::string(reason));
  if (error.code == ErrorCode::kQueueFull) {
    const auto pushback = std::max<std::int64_t>(error.retry_after.count(), 0);
    context.AddTrailingMetadata("grpc-retry-pushback-ms", std::to_string(pushback));
  }
  return {StatusCodeOf(error.code), ToValidUtf8(error.message, kStatusMessageBytes)};
}

void ToProto(const Error& error, v1::PostRefusal& refusal) {
  refusal.set_code(StatusCodeOf(error.code));
  refusal.set_reason(std::string(WireReasonOf(error.code)));
  refusal.set_message(ToValidUtf8(error.message, kItemMessageBytes));
  if (error.code == ErrorCode::kQueueFull) {
    ToProto(std::max(error.retry_after, std::chrono::milliseconds(0)),
            *refusal.mutable_retry_after());
  }
}

}  // namespace workpool::rpc
