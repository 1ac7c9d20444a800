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
  bool Cancel(const std::shared_ptr<JobEntry>& entry, bool running_too);

  // RunWork's deadline: ends a queued job, stops a running one.
  void OnRunDeadline(const std::shared_ptr<JobEntry>& entry);

  // Tells a running job to stop, or one that is about to run. True if that is news to it.
  bool Stop(const std::shared_ptr<JobEntry>& entry, StopReason reason,
            std::optional<std::chrono::nanoseconds> kill_grace = std::nullopt);

 private:
  // The job was on its way out of the queue, or its acceptance was still being told: ends it there
  // if no worker takes it.
  void WatchQueued(const std::shared_ptr<JobEntry>& entry);
  bool EndIfQueued(const std::shared_ptr<JobEntry>& entry, StopReason reason);
  void WatchStuck(const std::shared_ptr<JobEntry>& entry,
                  const std::shared_ptr<AttemptState>& attempt);

  Core& core_;
  Recorder& recorder_;
};

}  // namespace workpool
