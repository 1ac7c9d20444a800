// What Prometheus sees (docs/metrics.md). Counts what the dispatcher reports in shards that are
// summed at the scrape, and reads the pools' own counts there, so that each scrape is one reading.
// Series exist for what the config names, zeros included, from the first scrape; no request can
// create one.
#pragma once

#include <memory>
#include <string>

#include "jobs/config.h"
#include "jobs/dispatcher.h"
#include "jobs/observer.h"

namespace workpool {

// Thread safe. Must outlive the dispatcher that reports to its observer.
class Metrics {
 public:
  explicit Metrics(std::string version);
  ~Metrics();

  // Takes no lock.
  JobObserver& observer();

  // The series that exist: to be called before the dispatcher is made and before each
  // Reconfigure. A job of a handler that is not among them counts as its pool's "other"; of a pool
  // that is not among them, not at all.
  void SetSeries(const DispatcherConfig& config);

  // Where gauges are read from; nullptr before the dispatcher is destroyed: when that has returned,
  // no scrape reads it any more. Without a source the pools' own series are left out.
  void SetSource(const Dispatcher* dispatcher);

  void CountReload(bool ok);

  // The text format 0.0.4. Takes about a millisecond.
  std::string Scrape() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace workpool
