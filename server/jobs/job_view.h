// A job's whole state at one instant: what Get, Wait and List answer, and what a store keeps of a
// finished job. A copy; its owner may do with it what it likes, unless a call that hands it on says
// that the job is only lent.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/job.h"
#include "jobs/state.h"

namespace workpool {

struct JobFailure {
  std::string code;
  std::string message;  // valid UTF-8, at most kErrorMessageBytes
  bool no_retry = false;
};

struct JobView {
  std::shared_ptr<const Job> job;  // what is constant: shared, not copied
  JobState state = JobState::kQueued;
  int attempt = 0;
  bool stopping = false;
  std::optional<std::uint32_t> worker;
  std::optional<std::chrono::system_clock::time_point> started_at;
  std::optional<std::chrono::system_clock::time_point> finished_at;
  std::chrono::nanoseconds queue_wait{0};
  std::chrono::nanoseconds run_time{0};
  std::optional<double> progress;
  std::string progress_note;
  std::string result;
  bool result_truncated = false;
  std::optional<JobFailure> failure;
  std::string log;
  bool log_truncated = false;
};

// A page of a list, newest first: without result and log.
struct JobPage {
  std::vector<JobView> jobs;
  JobId next_before = 0;  // where the next page starts; 0: no more
};

// What a job counts against its pool's capacity_bytes: all its fields.
std::uint64_t BytesOf(const Job& job);

}  // namespace workpool
