// How a call fails. Nothing in this library throws for what the daemon or the network does: calls
// answer a Result, which holds a value or an Error.
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace workpool::client {

// gRPC's status codes, with gRPC's numbers.
enum class StatusCode {
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};

// The code's name in gRPC's documents, e.g. "RESOURCE_EXHAUSTED".
std::string_view NameOf(StatusCode code);

struct Error {
  StatusCode code = StatusCode::kUnknown;
  // The daemon's word for it (`workpool-reason`), e.g. "QUEUE_FULL" or "UNKNOWN_JOB". Empty when
  // the failure comes from the transport or from this library.
  std::string reason;
  std::string message;
  // With QUEUE_FULL: when the daemon asks to be tried again.
  std::optional<std::chrono::milliseconds> retry_after;
  // The daemon itself has said so, not the transport or this library. For messages: decide by
  // `code` and `reason`.
  bool from_daemon = false;

  // True if a post that failed with this error may have been accepted nevertheless: the answer was
  // lost, not the request refused.
  bool MayHaveBeenAccepted() const;
};

template <typename T>
using Result = std::expected<T, Error>;

}  // namespace workpool::client
