// What a client sees of a job after it was accepted.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workpool::client {

using WallTime = std::chrono::system_clock::time_point;

enum class JobState {
  kUnknown = 0,
  kScheduled = 1,
  kRetrying = 2,
  kQueued = 3,
  kActive = 4,
  kSucceeded = 5,
  kDead = 6,
  kCancelled = 7,
  kExpired = 8,
};

// "SUCCEEDED" and so on.
std::string_view NameOf(JobState state);
// Takes the name in any case; nothing if there is no such state.
std::optional<JobState> JobStateOf(std::string_view name);
bool IsFinal(JobState state);

// Why a job failed.
struct JobError {
  // FAILED, TIMEOUT, CANCELLED, RESULT_TOO_LARGE, ... or a code that the handler chose.
  std::string code;
  std::string message;
  // The handler said that another attempt would not help.
  bool no_retry = false;
};

struct Job {
  std::uint64_t id = 0;
  std::string handler;
  std::string pool;
  JobState state = JobState::kUnknown;
  std::uint32_t attempt = 0;
  std::uint32_t max_attempts = 0;
  std::uint32_t priority = 0;
  std::uint32_t weight = 0;
  std::string caller;
  std::string content_type;
  std::map<std::string, std::string> metadata;
  std::optional<std::chrono::nanoseconds> timeout;
  std::optional<WallTime> accepted_at;
  std::optional<WallTime> started_at;
  std::optional<WallTime> finished_at;
  std::optional<std::chrono::nanoseconds> queue_wait;
  std::optional<std::chrono::nanoseconds> run_time;
  // Told to stop; its worker is not free until the handler has ended.
  bool stopping = false;
  std::optional<double> progress;
  std::string progress_note;
  std::optional<std::uint32_t> worker;
  // Only where the call asks for it.
  std::string payload;
  std::uint64_t payload_bytes = 0;
  // Not in lists.
  std::string result;
  std::uint64_t result_bytes = 0;
  bool result_truncated = false;
  std::optional<JobError> error;
  // What the handler logged; not in lists.
  std::string log;
  bool log_truncated = false;
};

// All that is set must match; empty matches every job.
struct JobFilter {
  std::string pool = {};
  std::string handler = {};
  // Any of these.
  std::vector<JobState> states = {};
  std::optional<WallTime> accepted_after = {};
  std::optional<WallTime> accepted_before = {};
};

struct JobPage {
  std::vector<Job> jobs;
  // For the next call; empty when there are no more.
  std::string next_page_token;
};

// What a cancel did.
struct Cancelled {
  // Jobs that were cancelled or told to stop.
  std::uint64_t cancelled = 0;
  // Ids that the daemon does not know or has forgotten.
  std::vector<std::uint64_t> not_found;
};

}  // namespace workpool::client
