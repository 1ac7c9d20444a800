// A pool as operators and metrics see it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "jobs/config.h"
#include "jobs/pool_tuning.h"
#include "jobs/store.h"
#include "pool/admission.h"

namespace workpool {

struct PoolView {
  PoolConfig configured;
  PoolStats stats;                  // what is in force, and the counts
  PeakWindow interval;              // with Dispatcher::Watch: since the reading before
  std::uint64_t finished = 0;       // jobs that reached a final state
  std::uint64_t invalid_posts = 0;  // refused before admission
  std::uint64_t deleted = 0;        // unfinished jobs that a purge took away
  Store::DeadCounts dead;
  bool removed = false;
  bool workers_resized = false;  // by an operator
  std::optional<WallTime> resized_until;
  std::optional<TuningView> tuning;  // of a pool that the daemon sizes
  std::uint64_t workers_stuck = 0;
  std::optional<std::chrono::nanoseconds> oldest_queued;
};

// A series of readings with peaks per interval; destroy it to end the series, before the
// dispatcher.
class PoolWatch {
 public:
  virtual ~PoolWatch() = default;
  virtual std::vector<PoolView> Read() = 0;
};

}  // namespace workpool
