// The tuner's probes: one step away from the size that it has found, for a moment. A pool that
// keeps its throughput may still have changed so that another size is better, which shows only
// there.
#include <algorithm>
#include <cmath>

#include "jobs/concurrency_tuner.h"

namespace workpool {
namespace {

constexpr int kProbeAfter = 12;
// A step of one worker is a large one for a small pool: not so often.
constexpr int kProbeAfterSmall = 24;
constexpr std::uint32_t kSmall = 5;
// A probe ends at the first reading after which the step does not look better.
constexpr int kProbeReadings = 5;
constexpr int kProbeReadingsSmall = 3;
constexpr double kProbeGain = 0.07;
constexpr double kProbeLoss = 0.02;
// Of longer jobs too few end in an interval to say anything.
constexpr double kLongestProbedRunNs = 15e9;

}  // namespace

bool ConcurrencyTuner::TimeToProbe() {
  if (mean_run_ns_ > kLongestProbedRunNs) return false;
  return ++held_ >= (workers_ < kSmall ? kProbeAfterSmall : kProbeAfter);
}

TuneDecision ConcurrencyTuner::BeginProbe() {
  held_ = 0;
  const std::uint32_t step = std::max<std::uint32_t>(1, workers_ / 5);
  probe_up_ = !probe_up_;
  const bool up = workers_ <= min_ || (workers_ < max_ && probe_up_);
  if (up && workers_ >= max_) return Stay(TuneReason::kSettled);
  state_ = State::kProbing;
  BeginMeasurement();
  return Set(up ? std::min(max_, workers_ + step) : workers_ - std::min(step, workers_ - min_),
             TuneReason::kProbe);
}

TuneDecision ConcurrencyTuner::Probe(const Reading& reading) {
  if (reading.mixed || !reading.backlog) return EndProbe(TuneReason::kSettled);
  meter_.Add(reading.rate, reading.completions);
  const double size = found_->workers;
  const double step = std::abs(static_cast<double>(workers_) - size) / size;
  const double gain = meter_.mean() / rate_now_ - 1;
  bool better = false;
  if (workers_ > found_->workers) {
    better = gain > std::max(step / 2, kProbeGain);
  } else {
    better = gain > -std::max(kProbeLoss, meter_.error());
  }
  if (!better) return EndProbe(TuneReason::kSettled);
  const int wanted = found_->workers < kSmall ? kProbeReadingsSmall : kProbeReadings;
  if (meter_.count() < wanted) return Stay(TuneReason::kProbe);
  SizeReading probed = Measured();
  Begin(TuneReason::kChanged);
  search_.Note(found_->workers, {.rate = rate_now_,
                                 .error = probed.error,
                                 .run_ns = found_->run_ns,
                                 .spare = false,
                                 .keeps_up = true,
                                 .rough = false});
  meter_.Add(probed.rate, reading.completions * wanted);
  return NextInSearch();
}

TuneDecision ConcurrencyTuner::EndProbe(TuneReason reason) {
  state_ = State::kWatching;
  meter_.Start();
  return Set(found_->workers, reason);
}

}  // namespace workpool
