// Runs jobs: starts attempts when a worker takes a job, and ends them when their handler has.
// Thread safe.
#pragma once

#include <memory>

#include "jobs/core.h"
#include "jobs/recorder.h"
#include "jobs/stopper.h"

namespace workpool {

class Runner {
 public:
  Runner(Core& core, Recorder& recorder, Stopper& stopper)
      : core_(core), recorder_(recorder), stopper_(stopper) {}

  // On a worker's thread.
  RunStatus Run(JobEntry& entry, Place place) noexcept;

  // The outcome that counts; called once an attempt. `job`: that of the entry.
  void Complete(const Ref<JobEntry>& entry, const Job& job, AttemptState& attempt,
                Outcome&& outcome);

 private:
  void ArmTimeout(const Ref<JobEntry>& entry, AttemptState& attempt);
  void Invoke(Ref<JobEntry> entry, const Ref<AttemptState>& attempt);

  Core& core_;
  Recorder& recorder_;
  Stopper& stopper_;
};

}  // namespace workpool
