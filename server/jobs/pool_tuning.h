// What a pool that the daemon sizes is measured by and decided on: its run times, its tuner, and
// what that decided. Of a pool of another kind it is at rest. Thread safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "base/mutex.h"
#include "jobs/concurrency_tuner.h"
#include "jobs/config.h"
#include "pool/admission.h"

namespace workpool {

// For operators and metrics.
struct TuningView {
  TuneDecision last;  // the last one that was not the same as the one before
  WallTime at{};
  std::array<std::uint64_t, kTuneReasons> decisions{};  // by reason, since the start
};

class PoolTuning {
 public:
  // Begins anew unless the bounds are those that it has; rests when the config sizes the pool
  // otherwise. Answers the size to begin with.
  std::optional<std::uint32_t> Configure(const PoolConfig& config);

  // A run has ended that took a worker for so long; one of weight 2 counts twice as long. On the
  // hot path: two additions, and none of a pool at rest.
  void CountRun(std::chrono::nanoseconds run) {
    if (!counts_runs_.load(std::memory_order_relaxed)) return;
    runs_.fetch_add(1, std::memory_order_relaxed);
    run_ns_.fetch_add(static_cast<std::uint64_t>(run.count()), std::memory_order_relaxed);
  }

  // One decision, from what happened since the one before; none of a pool at rest.
  struct Step {
    TuneDecision decision;
    std::chrono::nanoseconds next_in;
    std::optional<std::uint32_t> instead_of;  // worth a line in the log: the size told before
  };
  std::optional<Step> Decide(const PoolStats& stats, SteadyTime now, WallTime wall_now);
  // Somebody else sets the size: what happens meanwhile is not measured. Answers whether the pool
  // is still to be looked after.
  bool Skip();

  std::optional<TuningView> View() const;

  // True for the one who shall look after it from now on; it says so when it stops.
  bool Claim() { return !claimed_.exchange(true); }
  void Unclaim() { claimed_.store(false); }

 private:
  TuneSample SampleOf(const PoolStats& stats, SteadyTime now) REQUIRES(mutex_);
  std::optional<std::uint32_t> ToTell(SteadyTime now) REQUIRES(mutex_);

  std::atomic<bool> counts_runs_{false};
  std::atomic<bool> claimed_{false};
  std::atomic<std::uint64_t> runs_{0};
  std::atomic<std::uint64_t> run_ns_{0};

  mutable Mutex mutex_;
  std::optional<ConcurrencyTuner> tuner_ GUARDED_BY(mutex_);
  std::uint32_t min_ GUARDED_BY(mutex_) = 0;
  std::uint32_t max_ GUARDED_BY(mutex_) = 0;
  std::uint64_t runs_before_ GUARDED_BY(mutex_) = 0;
  std::uint64_t run_ns_before_ GUARDED_BY(mutex_) = 0;
  std::uint64_t refused_before_ GUARDED_BY(mutex_) = 0;
  TuningView view_ GUARDED_BY(mutex_);
  std::uint32_t told_ GUARDED_BY(mutex_) = 0;
  std::optional<SteadyTime> told_at_ GUARDED_BY(mutex_);
};

}  // namespace workpool
