#include "metrics/series.h"

#include <algorithm>
#include <bit>
#include <thread>
#include <utility>

namespace workpool {
namespace {

// A power of two. More shards than threads that can run at once gain nothing.
std::size_t ShardCount() {
  constexpr unsigned kMost = 16;
  static const std::size_t count =
      std::min(std::bit_ceil(2 * std::max(std::thread::hardware_concurrency(), 1U)), kMost);
  return count;
}

std::size_t ThreadNumber() {
  static std::atomic<std::size_t> next{0};
  thread_local const std::size_t number = next.fetch_add(1, std::memory_order_relaxed);
  return number;
}

void Increment(std::atomic<std::uint64_t>& count) { count.fetch_add(1, std::memory_order_relaxed); }

template <std::size_t N>
void AddTo(const std::array<std::atomic<std::uint64_t>, N>& counts,
           std::array<std::uint64_t, N>& totals) {
  for (std::size_t i = 0; i < N; ++i) totals[i] += counts[i].load(std::memory_order_relaxed);
}

}  // namespace

Series::Series(std::string pool, std::string handler)
    : pool_(std::move(pool)), handler_(std::move(handler)), shards_(ShardCount()) {}

Series::Shard& Series::Mine() { return shards_[ThreadNumber() & (shards_.size() - 1)]; }

void Series::CountStarted(std::chrono::nanoseconds queue_wait) {
  Mine().queue_wait.Record(queue_wait);
}

void Series::CountAttempt(AttemptOutcome outcome, std::chrono::nanoseconds run) {
  Shard& shard = Mine();
  Increment(shard.attempts[static_cast<std::size_t>(outcome)]);
  shard.run.Record(run);
}

void Series::CountFinished(JobState state) {
  Increment(Mine().finished[static_cast<std::size_t>(state)]);
}

SeriesTotals Series::Totals() const {
  SeriesTotals totals;
  for (const Shard& shard : shards_) {
    AddTo(shard.attempts, totals.attempts);
    AddTo(shard.finished, totals.finished);
    shard.queue_wait.AddTo(totals.queue_wait);
    shard.run.AddTo(totals.run);
  }
  return totals;
}

}  // namespace workpool
