// Expected failures are values: `Result<T>` holds a T or an Error. One vocabulary for the whole
// project; only the edges (rpc, client) translate it into gRPC statuses.
#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace workpool {

enum class ErrorCode {
  kQueueFull,        // no room; Error::retry_after says when to try again
  kWaitTimeout,      // waited for room in vain
  kPayloadTooLarge,  // the payload, or the job as a whole, exceeds a limit
  kDraining,         // the pool or the daemon takes no posts now
  kUnknownPool,
  kUnknownHandler,
  kUnknownJob,    // never issued
  kJobForgotten,  // issued, no longer kept
  kKeysFull,
  kBadField,  // the message names the field and the rule
  kKeyTaken,
  kStaleLease,
  kStoreUnavailable,  // nothing was accepted
  kNotServed,         // a field or feature that this version does not serve; the message names it
  kWrongState,        // the job or pool is in a state that forbids the operation
  kCancelled,         // the caller gave up
  kShuttingDown,      // the outcome will not be known here
  kBadConfig,         // file:line:column, the rule
  kInternal,          // the system refused something that normally works
};

// The word that clients see as `workpool-reason`, e.g. "QUEUE_FULL".
std::string_view ReasonOf(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  // Only with kQueueFull: when another try makes sense.
  std::chrono::milliseconds retry_after{0};
};

template <typename T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> Fail(ErrorCode code, std::string message) {
  return std::unexpected<Error>(Error{code, std::move(message), {}});
}

}  // namespace workpool
