#include "jobs/stopper.h"

#include <algorithm>
#include <limits>

#include "jobs/job_log.h"

namespace workpool {

namespace {

constexpr std::chrono::milliseconds kLookAgain{10};

}  // namespace

bool Stopper::EndIfQueued(const Ref<JobEntry>& entry, StopReason reason) {
  // The order matters: nobody may take out a job whose acceptance is being committed.
  if (!entry->IsLive() || !entry->pool().tasks().Withdraw(*entry)) return false;
  if (reason == StopReason::kCancel) {
    recorder_.RecordQueued(entry, JobEvent::kCancelWaiting, CancelledFailure());
  } else {
    recorder_.RecordQueued(entry, JobEvent::kRunDeadline, RunDeadlineFailure());
  }
  return true;
}

CancelReport Stopper::Cancel(std::span<const JobId> ids) {
  CancelReport report;
  for (const JobId id : ids) {
    if (const auto entry = core_.table.Find(id)) {
      if (Cancel(entry, true)) ++report.cancelled;
    } else if (core_.store.Find(id) == nullptr) {
      report.not_found.push_back(id);
    }
  }
  return report;
}

CancelReport Stopper::CancelMatching(const JobFilter& filter) {
  const bool running_too =
      filter.states.empty() ||
      std::ranges::find(filter.states, JobState::kActive) != filter.states.end();
  CancelReport report;
  for (const auto& entry :
       core_.table.Matching(filter, 0, std::numeric_limits<std::size_t>::max())) {
    if (Cancel(entry, running_too)) ++report.cancelled;
  }
  return report;
}

bool Stopper::Cancel(const Ref<JobEntry>& entry, bool running_too) {
  if (EndIfQueued(entry, StopReason::kCancel)) return true;
  if (entry->Unpark()) {
    entry->pool().Open(1);  // it was settled when it was parked
    recorder_.RecordQueued(entry, JobEvent::kCancelWaiting, CancelledFailure());
    return true;
  }
  return running_too && Stop(entry, StopReason::kCancel);
}

void Stopper::OnRunDeadline(const Ref<JobEntry>& entry) {
  if (!EndIfQueued(entry, StopReason::kTimeout)) Stop(entry, StopReason::kTimeout);
}

bool Stopper::Stop(const Ref<JobEntry>& entry, StopReason reason,
                   std::optional<std::chrono::nanoseconds> kill_grace) {
  const JobEntry::Stopping stopping = entry->RequestStop(reason);
  if (stopping.attempt != nullptr) {
    stopping.attempt->RequestStop(kill_grace);
    if (stopping.first && !stopping.attempt->ended()) WatchStuck(entry, stopping.attempt);
  } else if (stopping.raised && reason != StopReason::kShutdown) {
    WatchQueued(entry);
  }
  return stopping.raised;
}

void Stopper::WatchQueued(const Ref<JobEntry>& entry) {
  core_.deadlines.Add(core_.clock.Now() + kLookAgain, [this, id = entry->id()] {
    const auto job = core_.table.Find(id);
    if (job == nullptr) return;
    const StopReason reason = job->PendingStop();
    if (reason == StopReason::kNone || EndIfQueued(job, reason)) return;
    WatchQueued(job);
  });
}

void Stopper::WatchStuck(const Ref<JobEntry>& entry, const Ref<AttemptState>& attempt) {
  core_.deadlines.Add(core_.clock.Now() + attempt->kill_grace(), [this, id = entry->id(), attempt] {
    const auto job = core_.table.Find(id);
    if (job == nullptr || !job->MarkStuck(attempt.get())) return;
    job->pool().stuck.fetch_add(1);
    LogJob(LogLevel::kWarn, "the handler still runs after it was told to stop", job->job(),
           attempt->number());
  });
}

}  // namespace workpool
