#include "jobs/pool_tuning.h"

#include <utility>

namespace workpool {
namespace {

// No more log lines than this, however restless the load.
constexpr std::chrono::seconds kBetweenLines{10};
constexpr std::chrono::seconds kIdleInterval{1};

}  // namespace

std::optional<std::uint32_t> PoolTuning::Configure(const PoolConfig& config) {
  MutexLock lock(mutex_);
  counts_runs_.store(config.sizing == Sizing::kAuto);
  if (config.sizing != Sizing::kAuto) {
    tuner_.reset();
    return std::nullopt;
  }
  if (!tuner_ || min_ != config.min_workers || max_ != config.limits.workers) {
    min_ = config.min_workers;
    max_ = config.limits.workers;
    const std::uint32_t first = tuner_ ? tuner_->workers() : config.first_workers;
    tuner_.emplace(min_, max_, first);
    told_ = tuner_->workers();
    view_.last = {tuner_->workers(), TuneReason::kMeasuring};
  }
  return tuner_->workers();
}

std::optional<PoolTuning::Step> PoolTuning::Decide(const PoolStats& stats, SteadyTime now,
                                                   WallTime wall_now) {
  MutexLock lock(mutex_);
  if (!tuner_) return std::nullopt;
  const TuneDecision decision = tuner_->Decide(SampleOf(stats, now));
  ++view_.decisions[static_cast<std::size_t>(decision.reason)];
  if (decision != view_.last) {
    view_.last = decision;
    view_.at = wall_now;
  }
  const bool idle = decision.reason == TuneReason::kIdle;
  return Step{decision, idle ? kIdleInterval : tuner_->Interval(), ToTell(now)};
}

TuneSample PoolTuning::SampleOf(const PoolStats& stats, SteadyTime now) {
  const std::uint64_t runs = runs_.load(std::memory_order_relaxed);
  const std::uint64_t run_ns = run_ns_.load(std::memory_order_relaxed);
  const std::uint64_t refused = stats.refused[static_cast<std::size_t>(Refusal::kQueueFull)];
  TuneSample sample{
      .now = now,
      .completions = runs - runs_before_,
      .mean_run = {},
      .active = stats.places_taken,
      .queued = stats.queued + stats.waiting,
      .turned_away = refused - refused_before_,
      .full = stats.waiting > 0 || (stats.queued > 0 && stats.queued >= stats.limits.capacity)};
  if (sample.completions > 0) {
    sample.mean_run = std::chrono::nanoseconds((run_ns - run_ns_before_) / sample.completions);
  }
  runs_before_ = runs;
  run_ns_before_ = run_ns;
  refused_before_ = refused;
  return sample;
}

// The steps of a search are not told, only what came of it.
std::optional<std::uint32_t> PoolTuning::ToTell(SteadyTime now) {
  if (!tuner_->settled() || tuner_->workers() == told_) return std::nullopt;
  if (told_at_ && now - *told_at_ < kBetweenLines) return std::nullopt;
  told_at_ = now;
  return std::exchange(told_, tuner_->workers());
}

bool PoolTuning::Skip() {
  MutexLock lock(mutex_);
  if (tuner_) tuner_->Rest();
  return tuner_.has_value();
}

std::optional<TuningView> PoolTuning::View() const {
  MutexLock lock(mutex_);
  if (!tuner_) return std::nullopt;
  return view_;
}

}  // namespace workpool
