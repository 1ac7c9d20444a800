#include "base/error.h"

namespace workpool {

std::string_view ReasonOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kQueueFull: return "QUEUE_FULL";
    case ErrorCode::kWaitTimeout: return "WAIT_TIMEOUT";
    case ErrorCode::kPayloadTooLarge: return "PAYLOAD_TOO_LARGE";
    case ErrorCode::kDraining: return "DRAINING";
    case ErrorCode::kUnknownPool: return "UNKNOWN_POOL";
    case ErrorCode::kUnknownHandler: return "UNKNOWN_HANDLER";
    case ErrorCode::kUnknownJob: return "UNKNOWN_JOB";
    case ErrorCode::kJobForgotten: return "JOB_FORGOTTEN";
    case ErrorCode::kKeysFull: return "KEYS_FULL";
    case ErrorCode::kBadField: return "BAD_FIELD";
    case ErrorCode::kKeyTaken: return "KEY_TAKEN";
    case ErrorCode::kStaleLease: return "STALE_LEASE";
    case ErrorCode::kStoreUnavailable: return "STORE_UNAVAILABLE";
    case ErrorCode::kNotServed: return "NOT_SERVED";
    case ErrorCode::kWrongState: return "WRONG_STATE";
    case ErrorCode::kCancelled: return "CANCELLED";
    case ErrorCode::kShuttingDown: return "SHUTTING_DOWN";
    case ErrorCode::kBadConfig: return "BAD_CONFIG";
    case ErrorCode::kInternal: return "INTERNAL";
  }
  return "INTERNAL";
}

}  // namespace workpool
