#include "jobs/recorder.h"

#include <fmt/format.h>

#include <utility>

#include "base/names.h"
#include "jobs/job_log.h"

namespace workpool {
namespace {

// The store could not commit an outcome: it is tried again, for nobody has been told it.
constexpr std::chrono::milliseconds kStoreRetry{250};
constexpr std::size_t kLoggedReasonBytes = 1000;
constexpr std::chrono::milliseconds kParkAgain{10};
constexpr std::chrono::seconds kFirstStoreTick{1};
constexpr std::chrono::milliseconds kShortestStoreTick{100};

void LogDead(const JobView& view) {
  LogJob(LogLevel::kInfo,
         fmt::format("the job is dead: {}: {}", view.failure->code,
                     ToValidUtf8(view.failure->message, kLoggedReasonBytes)),
         *view.job, view.attempt);
}

Error LostHere(const JobEntry& entry) {
  return {ErrorCode::kShuttingDown,
          fmt::format("the daemon shuts down and will not finish job {}", entry.id()),
          {}};
}

}  // namespace

void Recorder::RecordAttempt(const Ref<JobEntry>& entry, const Job& job,
                             const JobEntry::Ended& ended, JobView&& view) {
  if (ended.was_stuck) entry->pool().stuck.fetch_sub(1);
  if (ended.lost) return;
  core_.deadlines.Remove(ended.stop_key);
  core_.observer.OnAttemptEnded(entry->labels(), ended.outcome, ended.run_time);
  if (ended.parked) {
    TellParked(entry);
  } else {
    Commit(entry, job, std::move(view), ended.at);
  }
}

void Recorder::RecordQueued(const Ref<JobEntry>& entry, JobEvent event, JobFailure failure) {
  const SteadyTime now = core_.clock.Now();
  std::optional<JobView> view =
      entry->EndQueued(event, std::move(failure), now, core_.clock.WallNow());
  if (view) Commit(entry, entry->job(), *std::move(view), now);
}

void Recorder::Commit(const Ref<JobEntry>& entry, const Job& job, JobView&& view, SteadyTime now) {
  view.job = std::shared_ptr<const Job>(std::shared_ptr<const Job>(), &job);
  if (core_.store.FinishAtOnce(view, now)) return Tell(*entry, view);
  view.job = entry->SharedJob();
  CommitLater(entry, std::make_shared<const JobView>(std::move(view)));
}

void Recorder::CommitLater(Ref<JobEntry> entry, ViewPtr view) {
  ViewPtr record = view;
  core_.store.Finish(std::move(record), [this, entry = std::move(entry),
                                         view = std::move(view)](Result<void> committed) mutable {
    if (committed) {
      Tell(*entry, *view);
      return;
    }
    core_.deadlines.Add(core_.clock.Now() + kStoreRetry,
                        [this, entry = std::move(entry), view = std::move(view)]() mutable {
                          CommitLater(std::move(entry), std::move(view));
                        });
  });
}

void Recorder::Tell(JobEntry& entry, const JobView& view) {
  PoolSlot& pool = entry.pool();
  core_.table.Take(entry.id());  // the store has it by now
  std::vector<Waiter> waiters = entry.Close();
  pool.finished.fetch_add(1);
  core_.observer.OnFinished(entry.labels(), view);
  if (view.state == JobState::kDead) LogDead(view);
  std::shared_ptr<const Job> job;  // that of `view` may be good only for this call
  if (!waiters.empty()) job = entry.SharedJob();
  for (Waiter& waiter : waiters) {
    if (waiter.ticket != 0) core_.waits.Take(waiter.ticket);
    JobView kept = view;
    kept.job = job;
    waiter.done(std::move(kept));
  }
  ArmStoreTick();
  pool.Settle(1);
}

void Recorder::Delete(std::vector<Ref<JobEntry>> entries) {
  if (entries.empty()) return;
  entries.front()->pool().deleted.fetch_add(entries.size());
  CommitDelete(std::move(entries));
}

void Recorder::CommitDelete(std::vector<Ref<JobEntry>> entries) {
  std::vector<JobId> ids;
  ids.reserve(entries.size());
  for (const auto& entry : entries) ids.push_back(entry->id());
  core_.store.Forget(ids, [this, entries = std::move(entries)](Result<void> committed) mutable {
    if (!committed) {
      core_.deadlines.Add(
          core_.clock.Now() + kStoreRetry,
          [this, entries = std::move(entries)]() mutable { CommitDelete(std::move(entries)); });
      return;
    }
    for (const auto& entry : entries) {
      core_.table.Take(entry->id());
      EndWaits(entry->Close(),
               {ErrorCode::kJobForgotten, fmt::format("job {} has been deleted", entry->id()), {}});
    }
    entries.front()->pool().Settle(entries.size());
  });
}

void Recorder::Park(const Ref<JobEntry>& entry) {
  if (entry->Park()) {
    TellParked(entry);
  } else {
    RecordQueued(entry, JobEvent::kCancelWaiting, CancelledFailure());
  }
}

void Recorder::TellParked(const Ref<JobEntry>& entry) {
  if (auto waiters = entry->TakeWaiters(); !waiters.empty()) {
    EndWaits(std::move(waiters), LostHere(*entry));
  }
  entry->pool().Settle(1);
}

void Recorder::ParkQueued(const std::shared_ptr<PoolSlot>& pool) {
  for (Task* task : pool->tasks().TakeQueued()) {
    Park(Ref(static_cast<JobEntry*>(task)));
  }
  if (pool->tasks().Read().queued == 0) return;
  core_.deadlines.Add(core_.clock.Now() + kParkAgain, [this, pool] { ParkQueued(pool); });
}

void Recorder::EndWaits(std::vector<Waiter> waiters, const Error& error) {
  for (Waiter& waiter : waiters) {
    if (waiter.ticket != 0) core_.waits.Take(waiter.ticket);
    waiter.done(std::unexpected(error));
  }
}

void Recorder::ArmStoreTick() {
  // A plain read first: this is the hot path.
  if (store_tick_armed_.load(std::memory_order_relaxed) || store_tick_armed_.exchange(true)) return;
  core_.deadlines.Add(core_.clock.Now() + kFirstStoreTick, [this] { TickStore(); });
}

void Recorder::TickStore() {
  store_tick_armed_.store(false);
  const SteadyTime now = core_.clock.Now();
  const std::optional<SteadyTime> next = core_.store.Tick(now);
  if (!next || store_tick_armed_.exchange(true)) return;
  core_.deadlines.Add(std::max(*next, now + kShortestStoreTick), [this] { TickStore(); });
}

}  // namespace workpool
