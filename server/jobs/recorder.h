// Ends jobs: commits their outcome, then tells everybody; or takes them out without an outcome.
// Thread safe.
#pragma once

#include <memory>
#include <vector>

#include "jobs/core.h"

namespace workpool {

class Recorder {
 public:
  explicit Recorder(Core& core) : core_(core) {}

  // A job that ran: commits `view`, then tells; nothing of one that is lost. `job`: that of the
  // entry.
  void RecordAttempt(const Ref<JobEntry>& entry, const Job& job, const JobEntry::Ended& ended,
                     JobView&& view);
  // A queued job that the caller has taken out of its pool ends by `event`.
  void RecordQueued(const Ref<JobEntry>& entry, JobEvent event, JobFailure failure);

  // Queued jobs of one pool that the caller has taken out are forgotten: their waits end with
  // kJobForgotten once that is committed.
  void Delete(std::vector<Ref<JobEntry>> entries);

  // A queued job that the caller has taken out of its pool at a shutdown: it stays QUEUED, and
  // waits on it end with kShuttingDown.
  void Park(const Ref<JobEntry>& entry);
  // A job that a shutdown has interrupted; it is parked already.
  void TellParked(const Ref<JobEntry>& entry);
  // All queued jobs of the pool; those whose acceptance is still being committed or told follow
  // shortly after it.
  void ParkQueued(const std::shared_ptr<PoolSlot>& pool);

  // Waits end with this error; the entry's own waiters only.
  void EndWaits(std::vector<Waiter> waiters, const Error& error);

 private:
  using ViewPtr = std::shared_ptr<const JobView>;

  // `view` has no job yet.
  void Commit(const Ref<JobEntry>& entry, const Job& job, JobView&& view, SteadyTime now);
  void CommitLater(Ref<JobEntry> entry, ViewPtr view);
  void CommitDelete(std::vector<Ref<JobEntry>> entries);
  void Tell(JobEntry& entry, const JobView& view);
  void ArmStoreTick();
  void TickStore();

  Core& core_;
  std::atomic<bool> store_tick_armed_{false};
};

}  // namespace workpool
