// What a client posts.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "workpool/client/error.h"

namespace workpool::client {

enum class WhenFull {
  kPoolDefault,  // the pool's own setting
  kReject,       // refused at once with QUEUE_FULL
  kWait,         // waits for room, then WAIT_TIMEOUT
};

// One piece of work. Limits and rules are the daemon's (proto/workpool/v1/job.proto); what breaks
// them ends with INVALID_ARGUMENT, reason BAD_FIELD.
struct Work {
  std::string handler = {};
  // Empty: the handler's own pool.
  std::string pool = {};
  // Any bytes.
  std::string payload = {};  // at most 1 GiB, and what the daemon takes
  std::string content_type = {};
  // Who posts, for the daemon's logs.
  std::string caller = {};
  // 0 to 9, 9 is most urgent; the daemon's default is 5.
  std::optional<std::uint32_t> priority = {};
  // How many of the pool's workers the job takes, at most as many as it has; by default 1.
  std::optional<std::uint32_t> weight = {};
  // Bound on the handler's run. Default: the handler's.
  std::optional<std::chrono::nanoseconds> timeout = {};
  std::map<std::string, std::string> metadata = {};
  WhenFull when_full = WhenFull::kPoolDefault;
  // Longest wait for room, with kWait. Default: the pool's.
  std::optional<std::chrono::nanoseconds> wait_timeout = {};
};

// The rules for names and texts, which do not depend on the daemon's config. Every post keeps to
// them before anything is sent; for programs that want to know earlier. Never blocks.
Result<void> CheckWork(const Work& work);

// An accepted post.
struct Posted {
  std::uint64_t id = 0;
  // A job with the same unique key existed; `id` is its id.
  bool duplicate = false;
};

}  // namespace workpool::client
