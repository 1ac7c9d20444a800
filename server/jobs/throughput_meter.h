// Measures a rate that scatters: the mean of a few readings, and how far it may be off. Passive,
// deterministic, not thread safe.
#pragma once

namespace workpool {

class ThroughputMeter {
 public:
  // A new measurement. What is known about the scatter stays.
  void Start();
  // A rate and the number of completions that it was counted from.
  void Add(double rate, double completions);

  int count() const { return count_; }
  double completions() const { return completions_; }
  double mean() const { return mean_; }
  // The standard error of the mean, as a share of it; and of one reading of so many completions.
  double error() const { return Noise(completions_); }
  double Noise(double completions) const;
  // How many completions a reading needs to have a standard error of `share`.
  double CompletionsFor(double share) const { return dispersion_ / (share * share); }

 private:
  int count_ = 0;
  double completions_ = 0;
  double mean_ = 0;
  double last_rate_ = 0;
  double last_completions_ = 0;
  // The variance of a number of completions, as a share of it: 1 if they come at random, 0 if they
  // come evenly. A guess, until readings say more.
  double dispersion_ = 0.5;
  int steps_ = 0;
};

}  // namespace workpool
