// The names of the public enumerations.
#include <algorithm>
#include <array>
#include <cctype>

#include "workpool/client/error.h"
#include "workpool/client/job.h"
#include "workpool/client/pool.h"

namespace workpool::client {

namespace {

constexpr std::array<std::string_view, 17> kCodeNames = {
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
};

constexpr std::array<std::string_view, 9> kStateNames = {
    "UNKNOWN",   "SCHEDULED", "RETRYING",  "QUEUED",  "ACTIVE",
    "SUCCEEDED", "DEAD",      "CANCELLED", "EXPIRED",
};

constexpr std::array<std::string_view, 6> kKindNames = {
    "unknown", "builtin", "cpp", "command", "webhook", "remote",
};

constexpr std::array<std::string_view, 4> kSizingNames = {"unknown", "fixed", "elastic", "auto"};

template <typename Names, typename Enum>
std::string_view NameIn(const Names& names, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < names.size() ? names[index] : std::string_view("UNKNOWN");
}

bool SameLetters(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, [](unsigned char a, unsigned char b) {
    return std::toupper(a) == std::toupper(b);
  });
}

}  // namespace

std::string_view NameOf(StatusCode code) { return NameIn(kCodeNames, code); }
std::string_view NameOf(JobState state) { return NameIn(kStateNames, state); }
std::string_view NameOf(Sizing sizing) { return NameIn(kSizingNames, sizing); }
std::string_view NameOf(HandlerKind kind) { return NameIn(kKindNames, kind); }

std::optional<JobState> JobStateOf(std::string_view name) {
  for (std::size_t i = 1; i < kStateNames.size(); ++i) {
    if (SameLetters(name, kStateNames[i])) return static_cast<JobState>(i);
  }
  return std::nullopt;
}

bool IsFinal(JobState state) { return state >= JobState::kSucceeded; }

bool Error::MayHaveBeenAccepted() const {
  if (!reason.empty()) return false;
  switch (code) {
    case StatusCode::kUnavailable:
    case StatusCode::kDeadlineExceeded:
    case StatusCode::kCancelled:
    case StatusCode::kInternal:
    case StatusCode::kUnknown: return true;
    default: return false;
  }
}

}  // namespace workpool::client
