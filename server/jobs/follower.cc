#include "jobs/follower.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <utility>

namespace workpool {
namespace {

// Of a finished job, without what a list does not show.
JobView Brief(const JobView& stored) {
  JobView view;
  view.job = stored.job;
  view.state = stored.state;
  view.attempt = stored.attempt;
  view.worker = stored.worker;
  view.started_at = stored.started_at;
  view.finished_at = stored.finished_at;
  view.queue_wait = stored.queue_wait;
  view.run_time = stored.run_time;
  view.progress = stored.progress;
  view.progress_note = stored.progress_note;
  view.result_truncated = stored.result_truncated;
  view.failure = stored.failure;
  view.log_truncated = stored.log_truncated;
  return view;
}

}  // namespace

Result<JobView> Follower::Get(JobId id) const {
  if (const auto entry = core_.table.Find(id)) {
    if (std::optional<JobView> view = entry->View(core_.clock.Now(), true)) return *std::move(view);
  }
  return Stored(id);
}

Result<JobView> Follower::Stored(JobId id) const {
  if (const std::shared_ptr<const JobView> view = core_.store.Find(id)) return *view;
  if (id == 0 || id > core_.store.LastId()) {
    return Fail(ErrorCode::kUnknownJob, fmt::format("id: there has been no job {}", id));
  }
  return Fail(ErrorCode::kJobForgotten, fmt::format("id: job {} is no longer kept", id));
}

Ticket Follower::Wait(JobId id, FinishedDone done) {
  const auto entry = core_.table.Find(id);
  if (entry == nullptr) {
    done(Stored(id));
    return 0;
  }
  Waiter waiter{core_.waits.Add(entry), std::move(done)};
  const Ticket ticket = waiter.ticket;
  switch (entry->AddWaiter(waiter)) {
    case JobEntry::Waiting::kAdded: return ticket;
    case JobEntry::Waiting::kOver: waiter.done(Stored(id)); break;
    case JobEntry::Waiting::kInVain:
      waiter.done(Fail(ErrorCode::kShuttingDown,
                       fmt::format("the daemon shuts down and will not finish job {}", id)));
      break;
  }
  core_.waits.Take(ticket);
  return 0;
}

void Follower::CancelWait(Ticket ticket) {
  if (const auto entry = core_.waits.Take(ticket)) entry->RemoveWaiter(ticket);
}

JobPage Follower::List(const JobFilter& filter, JobId before, std::size_t limit) const {
  // By id: a job that finishes meanwhile may be found in both places, and then the store is right.
  std::map<JobId, JobView, std::greater<>> merged;
  const SteadyTime now = core_.clock.Now();
  for (const auto& entry : core_.table.Matching(filter, before, limit + 1)) {
    if (std::optional<JobView> view = entry->View(now, false)) {
      const JobId id = view->job->id;
      merged.emplace(id, *std::move(view));
    }
  }
  for (const auto& view : core_.store.List(filter, before, limit + 1)) {
    merged.insert_or_assign(view->job->id, Brief(*view));
  }
  JobPage page;
  for (auto& [id, view] : merged) {
    if (page.jobs.size() == limit) {
      page.next_before = page.jobs.empty() ? 0 : page.jobs.back().job->id;
      break;
    }
    page.jobs.push_back(std::move(view));
  }
  return page;
}

}  // namespace workpool
