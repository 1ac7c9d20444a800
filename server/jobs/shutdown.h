// The steps of an orderly shutdown, in their order; see Dispatcher. Thread safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "jobs/core.h"
#include "jobs/lost_jobs.h"
#include "jobs/recorder.h"
#include "jobs/stopper.h"

namespace workpool {

class ShutdownSteps {
 public:
  ShutdownSteps(Core& core, Recorder& recorder, Stopper& stopper)
      : core_(core), recorder_(recorder), stopper_(stopper) {}

  void StopAccepting(bool run_queued, std::move_only_function<void()> idle);
  void StopHandlers(std::chrono::nanoseconds kill_grace);
  LostJobs GiveUp(std::size_t show);
  bool JoinPools(SteadyTime deadline);

 private:
  std::vector<std::shared_ptr<PoolSlot>> Pools() const;
  void StopQueues();
  // What to say of the oldest of them, at most `show`, by id.
  std::vector<JobView> FirstOf(std::vector<JobId> lost, std::size_t show) const;

  Core& core_;
  Recorder& recorder_;
  Stopper& stopper_;
};

}  // namespace workpool
