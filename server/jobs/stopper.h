// Stops jobs: cancel, timeout, RunWork's deadline, shutdown. Thread safe.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "jobs/cancel_report.h"
#include "jobs/core.h"
#include "jobs/recorder.h"

namespace workpool {

class Stopper {
 public:
  Stopper(Core& core, Recorder& recorder) : core_(core), recorder_(recorder) {}

  CancelReport Cancel(std::span<const JobId> ids);
  CancelReport CancelMatching(const JobFilter& filter);

  // True if this call cancelled the job or told it to stop. Without `running_too` a job that is
  // ACTIVE by now is left alone.
  bool Cancel(const Ref<JobEntry>& entry, bool running_too);

  // RunWork's deadline: ends a queued job, stops a running one.
  void OnRunDeadline(const Ref<JobEntry>& entry);

  // Tells a running job to stop, or one that is about to run. True if that is news to it.
  bool Stop(const Ref<JobEntry>& entry, StopReason reason,
            std::optional<std::chrono::nanoseconds> kill_grace = std::nullopt);

 private:
  // The job was on its way out of the queue, or its acceptance was still being told: ends it there
  // if no worker takes it.
  void WatchQueued(const Ref<JobEntry>& entry);
  bool EndIfQueued(const Ref<JobEntry>& entry, StopReason reason);
  void WatchStuck(const Ref<JobEntry>& entry, const Ref<AttemptState>& attempt);

  Core& core_;
  Recorder& recorder_;
};

}  // namespace workpool
