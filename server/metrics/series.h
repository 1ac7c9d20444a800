// The counts of one pair of pool and handler, in shards: a thread counts in the shard of its slot.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "jobs/observer.h"
#include "jobs/state.h"
#include "metrics/count.h"
#include "metrics/histogram.h"
#include "metrics/thread_slot.h"

namespace workpool::metrics {

struct SeriesTotals {
  std::array<std::uint64_t, kAttemptOutcomes> attempts{};  // by AttemptOutcome
  std::array<std::uint64_t, kJobStates> finished{};        // by JobState
  HistogramTotals queue_wait;
  HistogramTotals run;
};

struct alignas(64) SeriesShard {
  std::array<Count, kAttemptOutcomes> attempts{};
  std::array<Count, kJobStates> finished{};
  HistogramShard queue_wait;
  HistogramShard run;
};

// Adds to a shard on behalf of the thread that asked for it; good as long as the series.
class SeriesWriter {
 public:
  SeriesWriter() = default;
  SeriesWriter(SeriesShard& shard, Writers writers) : shard_(&shard), writers_(writers) {}

  void CountStarted(std::chrono::nanoseconds queue_wait) {
    shard_->queue_wait.Record(queue_wait, writers_);
  }
  void CountAttempt(AttemptOutcome outcome, std::chrono::nanoseconds run) {
    shard_->attempts[static_cast<std::size_t>(outcome)].Add(1, writers_);
    shard_->run.Record(run, writers_);
  }
  void CountFinished(JobState state) {
    shard_->finished[static_cast<std::size_t>(state)].Add(1, writers_);
  }

 private:
  SeriesShard* shard_ = nullptr;
  Writers writers_ = Writers::kSeveral;
};

// Thread safe, lock-free.
class Series {
 public:
  Series(std::string pool, std::string handler);
  ~Series();
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;

  const std::string& pool() const { return pool_; }
  const std::string& handler() const { return handler_; }

  // `slot` must be the calling thread's; makes its shard when it is first asked for.
  SeriesWriter WriterFor(const ThreadSlot& slot);

  SeriesTotals Totals() const;

 private:
  const std::string pool_;
  const std::string handler_;
  std::array<std::atomic<SeriesShard*>, kSlots> shards_{};  // owned
};

}  // namespace workpool::metrics
