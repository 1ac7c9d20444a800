// Counts what the dispatcher reports: the observer of jobs, on the hot path of each.
//
// Thread safe. Reporting takes no lock: it reads the pointer to the present table, finds the series
// (mostly in the thread's own cache) and adds to the thread's own shard. Tables and series are kept
// until the recorder dies, so that a thread which has just read the pointer is safe through any
// reload; both are small, and only a reload that names new pairs adds to them.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "jobs/config.h"
#include "jobs/observer.h"
#include "metrics/series_table.h"

namespace workpool::metrics {

class JobRecorder final : public JobObserver {
 public:
  JobRecorder();

  // Adds the series of the pairs that `config` names: each handler in its pool (one without a pool
  // in `default`), and "other" in each pool. Pairs that it no longer names keep their series, for
  // jobs of theirs may still run.
  void SetSeries(const DispatcherConfig& config) EXCLUDES(mutex_);

  // By pool and handler.
  std::vector<const Series*> all() const;

  void OnStarted(const JobLabels& labels, std::chrono::nanoseconds queue_wait) override;
  void OnAttemptEnded(const JobLabels& labels, AttemptOutcome outcome,
                      std::chrono::nanoseconds run) override;
  void OnFinished(const JobLabels& labels, const JobView& view) override;

 private:
  using Pair = std::pair<std::string, std::string>;

  SeriesWriter* Find(const JobLabels& labels) const;

  std::atomic<const SeriesTable*> current_;
  Mutex mutex_;
  std::map<Pair, std::unique_ptr<Series>> series_ GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<const SeriesTable>> tables_ GUARDED_BY(mutex_);
};

}  // namespace workpool::metrics
