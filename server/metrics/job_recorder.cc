#include "metrics/job_recorder.h"

#include <set>

#include "metrics/thread_cache.h"

namespace workpool::metrics {
namespace {

std::set<std::pair<std::string, std::string>> PairsOf(const DispatcherConfig& config) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (const PoolConfig& pool : config.pools) {
    pairs.emplace(pool.name, kOtherHandler);
    for (const HandlerConfig& handler : config.handlers) {
      pairs.emplace(pool.name, SeriesHandler(handler, pool.name));
    }
  }
  return pairs;
}

}  // namespace

JobRecorder::JobRecorder() { SetSeries({}); }

void JobRecorder::SetSeries(const DispatcherConfig& config) {
  const auto pairs = PairsOf(config);
  MutexLock lock(mutex_);
  bool changed = tables_.empty();
  for (const Pair& pair : pairs) {
    std::unique_ptr<Series>& series = series_[pair];
    if (series != nullptr) continue;
    series = std::make_unique<Series>(pair.first, pair.second);
    changed = true;
  }
  if (!changed) return;
  std::vector<Series*> all;
  all.reserve(series_.size());
  for (const auto& [pair, series] : series_) all.push_back(series.get());
  tables_.push_back(std::make_unique<const SeriesTable>(std::move(all)));
  current_.store(tables_.back().get(), std::memory_order_release);
}

std::vector<const Series*> JobRecorder::all() const {
  const auto& all = current_.load(std::memory_order_acquire)->all();
  return {all.begin(), all.end()};
}

SeriesWriter* JobRecorder::Find(const JobLabels& labels) const {
  return ThreadCache::Mine().Find(*current_.load(std::memory_order_acquire), labels);
}

void JobRecorder::OnStarted(const JobLabels& labels, std::chrono::nanoseconds queue_wait) {
  if (SeriesWriter* const series = Find(labels)) series->CountStarted(queue_wait);
}

void JobRecorder::OnAttemptEnded(const JobLabels& labels, AttemptOutcome outcome,
                                 std::chrono::nanoseconds run) {
  if (SeriesWriter* const series = Find(labels)) series->CountAttempt(outcome, run);
}

void JobRecorder::OnFinished(const JobLabels& labels, const JobView& view) {
  if (SeriesWriter* const series = Find(labels)) series->CountFinished(view.state);
}

}  // namespace workpool::metrics
