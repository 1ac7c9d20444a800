#include "bench_record.h"

#include <algorithm>

#include "output.h"

namespace workpool::cli {

void BenchRecord::Answered(const client::Result<client::Posted>& outcome,
                           std::chrono::nanoseconds latency) {
  bool sampled = false;
  {
    const MutexLock lock(mutex_);
    totals_.post.Add(latency);
    if (outcome) {
      sampled = totals_.accepted++ % sample_every_ == 0;
      totals_.last_id = std::max(totals_.last_id, outcome->id);
    } else if (ExitOf(outcome.error()) == Exit::kRejected) {
      ++totals_.rejected;
    } else {
      ++totals_.failed;
      if (!totals_.error) totals_.error = outcome.error();
    }
  }
  if (sampled) Follow(outcome->id, latency);
}

void BenchRecord::Lost(const client::Error& error, std::uint64_t posts) {
  const MutexLock lock(mutex_);
  totals_.failed += posts;
  if (!totals_.error) totals_.error = error;
}

void BenchRecord::Follow(std::uint64_t id, std::chrono::nanoseconds latency) {
  client_.WaitAsync(id, [this, latency](const client::Result<client::Job>& job) {
    if (!job || !job->accepted_at || !job->finished_at) return;
    const MutexLock lock(mutex_);
    totals_.finish.Add(latency + (*job->finished_at - *job->accepted_at));
  });
}

BenchRecord::Totals BenchRecord::totals() {
  const MutexLock lock(mutex_);
  return totals_;
}

void BenchRecord::Totals::Merge(const Totals& other) {
  accepted += other.accepted;
  rejected += other.rejected;
  failed += other.failed;
  last_id = std::max(last_id, other.last_id);
  post.Merge(other.post);
  finish.Merge(other.finish);
  if (!error) error = other.error;
}

}  // namespace workpool::cli
