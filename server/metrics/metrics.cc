#include "metrics/metrics.h"

#include <prometheus/text_serializer.h>

#include <atomic>
#include <cstdint>
#include <sstream>
#include <utility>

#include "base/mutex.h"
#include "metrics/families.h"
#include "metrics/job_metrics.h"
#include "metrics/job_recorder.h"
#include "metrics/pool_metrics.h"
#include "metrics/process_metrics.h"

namespace workpool {

class Metrics::Impl {
 public:
  explicit Impl(std::string version) : version_(std::move(version)) {}

  metrics::JobRecorder& recorder() { return recorder_; }

  void SetSource(const Dispatcher* dispatcher) {
    MutexLock lock(mutex_);
    source_ = dispatcher;
  }

  void CountReload(bool ok) { (ok ? reloads_ok_ : reloads_failed_)++; }

  metrics::Families Collect() {
    metrics::Families families;
    AddPools(families);
    metrics::AddJobFamilies(families, recorder_.all());
    AddDaemon(families);
    process_.AddFamilies(families);
    return families;
  }

 private:
  // The lock is held while the dispatcher is read: SetSource(nullptr) waits for that.
  void AddPools(metrics::Families& families) {
    MutexLock lock(mutex_);
    if (source_ == nullptr) return;
    metrics::AddPoolFamilies(families, source_->Pools(), source_->unknown_pool_posts());
  }

  void AddDaemon(metrics::Families& families) {
    prometheus::MetricFamily& reloads = metrics::AddCounters(
        families, "workpool_config_reloads_total", "Reloads of the config file.");
    metrics::AddValue(reloads, {{"result", "ok"}}, reloads_ok_.load());
    metrics::AddValue(reloads, {{"result", "error"}}, reloads_failed_.load());
    metrics::AddValue(metrics::AddGauges(families, "workpool_build_info",
                                         "Always 1; its label tells the version."),
                      {{"version", version_}}, 1.0);
  }

  const std::string version_;
  metrics::JobRecorder recorder_;
  metrics::ProcessMetrics process_;
  std::atomic<std::uint64_t> reloads_ok_{0};
  std::atomic<std::uint64_t> reloads_failed_{0};
  Mutex mutex_;
  const Dispatcher* source_ GUARDED_BY(mutex_) = nullptr;
};

Metrics::Metrics(std::string version) : impl_(std::make_unique<Impl>(std::move(version))) {}

Metrics::~Metrics() = default;

JobObserver& Metrics::observer() { return impl_->recorder(); }

void Metrics::SetSeries(const DispatcherConfig& config) { impl_->recorder().SetSeries(config); }

void Metrics::SetSource(const Dispatcher* dispatcher) { impl_->SetSource(dispatcher); }

void Metrics::CountReload(bool ok) { impl_->CountReload(ok); }

std::string Metrics::Scrape() const {
  std::ostringstream text;
  prometheus::TextSerializer().Serialize(text, impl_->Collect());
  return std::move(text).str();
}

}  // namespace workpool
