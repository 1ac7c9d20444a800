// The observer port: the dispatcher reports, and metrics and logs listen. Called on hot paths from
// many threads at once, with no lock held: count and return; must not throw or block.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "jobs/job_view.h"

namespace workpool {

// How an attempt ended, as workpool_attempts_total counts it.
enum class AttemptOutcome : std::uint8_t {
  kSucceeded,
  kFailed,
  kTimeout,
  kCancelled,
  kLeaseLost,
  kInterrupted,
  kSnoozed,
};
inline constexpr int kAttemptOutcomes = 7;

// Names a pool and a handler as metrics show them. `handler` is what SeriesHandler says ("other"
// for a pair that the config does not lead to), `pool` is "unknown" for a post to no pool: no
// request can create a series.
struct JobLabels {
  std::string_view pool;
  std::string_view handler;
  // Labels with the same key have the same names, so that who keeps something for them need not
  // compare those; 0: none.
  std::uint64_t key = 0;
};

// No other call in this process answers the same.
std::uint64_t NewLabelsKey();

class JobObserver {
 public:
  virtual ~JobObserver() = default;
  virtual void OnStarted(const JobLabels&, std::chrono::nanoseconds /*queue_wait*/) {}
  virtual void OnAttemptEnded(const JobLabels&, AttemptOutcome, std::chrono::nanoseconds /*run*/) {}
  // The view's job is good only for the time of the call: KeepJob makes a copy.
  virtual void OnFinished(const JobLabels&, const JobView&) {}
  // A post that ended before it reached a pool's admission: bad field, unknown handler and so on.
  virtual void OnInvalidPost(std::string_view /*pool*/, ErrorCode) {}
};

}  // namespace workpool
