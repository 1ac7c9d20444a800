// A pool in front of something that does the work: jobs arrive, wait, and share what the workers
// call (a processor, a database), which is quick or slow by how many use it at once. Stepped by
// simulated time; the same seed does the same things.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <random>

#include "jobs/concurrency_tuner.h"

namespace workpool {

class QueueModel {
 public:
  // How many jobs a second `active` jobs get done together.
  using Downstream = std::function<double(std::uint32_t active)>;

  // Where a load comes from; any of them, also none.
  struct Load {
    double arrivals_per_second = 0;  // as they like, whether or not jobs end
    std::uint32_t clients = 0;       // each posts its next job when its last has ended
    bool endless = false;            // there is always more
  };

  // `scatter`: the standard deviation of a job's work, as a share of the mean.
  QueueModel(std::uint64_t seed, double scatter);

  void SetDownstream(Downstream downstream) { downstream_ = std::move(downstream); }
  void SetLoad(const Load& load);
  void SetWorkers(std::uint32_t workers);

  // Lets time pass, and answers what happened in it.
  TuneSample Pass(std::chrono::nanoseconds time);
  SteadyTime now() const;

 private:
  void Arrive();
  void Start();
  void Finish();
  double Speed() const;  // of one job
  double Work();
  double NextArrival();

  std::mt19937_64 random_;
  std::lognormal_distribution<double> work_;
  Downstream downstream_;
  Load load_;
  std::uint32_t workers_ = 1;

  double time_ = 1000;  // seconds
  double next_arrival_ = 0;
  double done_ = 0;                       // what each active job has got done since the beginning
  std::multimap<double, double> active_;  // what `done_` will be at its end, when it started
  std::uint64_t queued_ = 0;
  std::uint32_t clients_here_ = 0;  // whose job is queued or active

  std::uint64_t completions_ = 0;
  double run_seconds_ = 0;
};

}  // namespace workpool
