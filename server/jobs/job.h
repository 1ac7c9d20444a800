// A job as its handler sees it, and the work that a client posts.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pool/task.h"

namespace workpool {

using JobId = std::uint64_t;  // 1 to 2^63-1, strictly increasing; 0 is none
using Metadata = std::map<std::string, std::string>;

// One piece of work, as posted. Plain data; Dispatcher::Post checks every field.
struct Work {
  std::string handler;
  std::string pool;  // empty: the handler's
  std::string payload;
  std::string content_type;
  std::string caller;
  int priority = kDefaultPriority;
  std::uint32_t weight = 1;                         // how many of the pool's workers it takes
  std::optional<std::chrono::nanoseconds> timeout;  // of an attempt; unset: the handler's
  Metadata metadata;
  std::optional<WhenFull> when_full;                     // unset: the pool's
  std::optional<std::chrono::nanoseconds> wait_timeout;  // longest wait for room; unset: max_wait
};

// An accepted job, as whoever keeps it shows it: the texts are the keeper's, and good as long as it
// keeps the job (a handler's attempt until it has been finished). Constant from acceptance on, so
// that it may be read from any thread.
struct Job {
  JobId id = 0;
  std::string_view handler;
  std::string_view pool;
  std::string_view payload;
  std::string_view content_type;
  std::string_view caller;
  int priority = kDefaultPriority;
  int max_attempts = 1;
  std::uint32_t weight = 1;
  std::chrono::nanoseconds timeout{0};  // 0: none
  const Metadata* metadata = nullptr;   // null if empty
  std::chrono::system_clock::time_point accepted_at;
};

// A copy of a job with texts of its own.
std::shared_ptr<const Job> KeepJob(const Job& job);

}  // namespace workpool
