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

// Thread safe.
class Metrics {
 public:
  explicit Metrics(std::string version);
  ~Metrics();

  JobObserver& observer();

  // The series that exist: called before the dispatcher is made and after each reload.
  void SetSeries(const DispatcherConfig& config);

  // Where gauges are read from; nullptr before the dispatcher is destroyed.
  void SetSource(const Dispatcher* dispatcher);

  void CountReload(bool ok);

  // The text format 0.0.4.
  std::string Scrape() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace workpool
