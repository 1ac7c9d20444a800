#include "jobs/throughput_meter.h"

#include <algorithm>
#include <cmath>

namespace workpool {
namespace {

constexpr double kLeastNoise = 0.01;
// One outlier is not taken for scatter that lasts.
constexpr double kMostDispersion = 4;
constexpr double kWeight = 0.1;

}  // namespace

void ThroughputMeter::Start() {
  count_ = 0;
  completions_ = mean_ = 0;
}

void ThroughputMeter::Add(double rate, double completions) {
  completions = std::max(completions, 1.0);
  if (count_ > 0 && mean_ > 0) {
    const double step = (rate - last_rate_) / mean_;
    const double seen = step * step / (1 / completions + 1 / last_completions_);
    const double weight = std::max(kWeight, 1.0 / (++steps_ + 1));
    dispersion_ += weight * (std::min(seen, kMostDispersion) - dispersion_);
  }
  ++count_;
  completions_ += completions;
  mean_ += (rate - mean_) * completions / completions_;
  last_rate_ = rate;
  last_completions_ = completions;
}

double ThroughputMeter::Noise(double completions) const {
  return std::max(kLeastNoise, std::sqrt(dispersion_ / std::max(completions, 1.0)));
}

}  // namespace workpool
