// The counts of one pair of pool and handler, in shards: threads that count at the same time mostly
// do so in different cache lines.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "jobs/observer.h"
#include "jobs/state.h"
#include "metrics/histogram.h"

namespace workpool {

struct SeriesTotals {
  std::array<std::uint64_t, kAttemptOutcomes> attempts{};  // by AttemptOutcome
  std::array<std::uint64_t, kJobStates> finished{};        // by JobState
  HistogramTotals queue_wait;
  HistogramTotals run;
};

// Thread safe, lock-free.
class Series {
 public:
  Series(std::string pool, std::string handler);

  const std::string& pool() const { return pool_; }
  const std::string& handler() const { return handler_; }

  void CountStarted(std::chrono::nanoseconds queue_wait);
  void CountAttempt(AttemptOutcome outcome, std::chrono::nanoseconds run);
  void CountFinished(JobState state);

  SeriesTotals Totals() const;

 private:
  struct alignas(64) Shard {
    std::array<std::atomic<std::uint64_t>, kAttemptOutcomes> attempts{};
    std::array<std::atomic<std::uint64_t>, kJobStates> finished{};
    HistogramShard queue_wait;
    HistogramShard run;
  };

  Shard& Mine();

  const std::string pool_;
  const std::string handler_;
  std::vector<Shard> shards_;
};

}  // namespace workpool
