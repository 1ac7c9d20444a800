#include "jobs/job_entry.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace workpool {

JobEntry::JobEntry(JobOwner& owner, Mutex& mutex, Route route, Job job)
    : owner_(owner),
      mutex_(mutex),
      pool_(std::move(route.pool)),
      handler_(std::move(route.handler)),
      job_(std::make_shared<Job>(std::move(job))) {
  priority = static_cast<std::uint8_t>(job_->priority);
  weight = job_->weight;
  group = route.group;
  bytes = BytesOf(*job_);
  brief = handler_->handler->brief();
}

JobLabels JobEntry::labels() const {
  return {pool_->name(), SeriesHandler(*handler_, pool_->name())};
}

JobEntry::Rare& JobEntry::rare() {
  if (rare_ == nullptr) rare_ = std::make_unique<Rare>();
  return *rare_;
}

// --- posting -------------------------------------------------------------------------------------

void JobEntry::SetStopAt(SteadyTime when) {
  MutexLock lock(mutex_);
  rare().stop_at = when;
}

std::optional<SteadyTime> JobEntry::stop_at() const {
  MutexLock lock(mutex_);
  return rare_ == nullptr ? std::nullopt : rare_->stop_at;
}

void JobEntry::AddFinished(FinishedDone done) {
  MutexLock lock(mutex_);
  rare().waiters.push_back({0, std::move(done)});
}

void JobEntry::PrepareWait(Ticket ticket, PostAnswer answer) {
  MutexLock lock(mutex_);
  Rare& rare = this->rare();
  rare.ticket = ticket;
  rare.answer = std::move(answer);
  rare.waiting = true;
}

Ticket JobEntry::KeepWaitKey(const DeadlineKey& key) {
  MutexLock lock(mutex_);
  Rare& rare = this->rare();
  if (!rare.waiting) return 0;
  rare.wait_key = key;
  return rare.ticket;
}

JobEntry::EndedWait JobEntry::EndWait() {
  MutexLock lock(mutex_);
  if (rare_ == nullptr) return {};
  rare_->waiting = false;
  return {rare_->ticket, rare_->wait_key, std::exchange(rare_->answer, PostAnswer())};
}

void JobEntry::Accept(JobId id, WallTime wall, SteadyTime now) {
  MutexLock lock(mutex_);
  WORKPOOL_CHECK(phase_ == Phase::kPosting);
  phase_ = Phase::kCommitting;
  job_->id = id;
  job_->accepted_at = wall;
  accepted_ = now;
}

void JobEntry::SetLive() {
  MutexLock lock(mutex_);
  WORKPOOL_CHECK(phase_ == Phase::kCommitting);
  phase_ = Phase::kLive;
}

void JobEntry::KeepStopKey(const DeadlineKey& key) {
  MutexLock lock(mutex_);
  rare().stop_key = key;
}

// --- running -------------------------------------------------------------------------------------

JobEntry::Started JobEntry::Start(std::shared_ptr<AttemptState> attempt) {
  MutexLock lock(mutex_);
  state_ = Next(state_, JobEvent::kTaken);
  attempt_ = std::move(attempt);
  return {stop_, attempt_->started() - accepted_};
}

std::optional<JobEntry::Ended> JobEntry::EndAttempt(Report report, SteadyTime now, WallTime wall) {
  std::string log;
  Ended ended;
  MutexLock lock(mutex_);
  if (phase_ == Phase::kLost) return std::nullopt;
  WORKPOOL_CHECK(phase_ == Phase::kLive);
  const std::shared_ptr<AttemptState> attempt = attempt_;
  Ending ending =
      Decide(std::move(report), stop_,
             attempt->EndsBy(job_->timeout) ? std::optional(job_->timeout) : std::nullopt);
  const JobState next = Next(state_, ending.event);
  ended.outcome = ending.outcome;
  ended.run_time = now - attempt->started();
  ended.was_stuck = std::exchange(stuck_, false);
  if (rare_ != nullptr) {
    ended.awaited = !rare_->waiters.empty();
    ended.stop_key = rare_->stop_key;
  }
  if (ending.event == JobEvent::kInterrupt) {
    state_ = next;
    interrupted_ = true;
    attempt_.reset();
    parked_ = true;
    return ended;
  }
  phase_ = Phase::kEnding;
  ended.view = std::make_shared<JobView>(ViewLocked(now));
  lock.Unlock();

  JobView& view = *ended.view;
  view.state = next;
  view.stopping = false;
  view.finished_at = wall;
  view.result = std::move(ending.result);
  view.result_truncated = ending.truncated;
  view.failure = std::move(ending.failure);
  attempt->CopyProgress(view);
  view.log = attempt->TakeLog();
  return ended;
}

std::shared_ptr<JobView> JobEntry::EndQueued(JobEvent event, JobFailure failure, SteadyTime now,
                                             WallTime wall) {
  MutexLock lock(mutex_);
  WORKPOOL_CHECK(phase_ == Phase::kLive || phase_ == Phase::kLost);
  if (phase_ == Phase::kLost) return nullptr;
  auto view = std::make_shared<JobView>(ViewLocked(now));
  view->state = Next(state_, event);
  phase_ = Phase::kEnding;
  lock.Unlock();
  view->finished_at = wall;
  view->failure = std::move(failure);
  return view;
}

bool JobEntry::IsLive() const {
  MutexLock lock(mutex_);
  return phase_ == Phase::kLive;
}

// --- stopping ------------------------------------------------------------------------------------

JobEntry::Stopping JobEntry::RequestStop(StopReason reason) {
  MutexLock lock(mutex_);
  if (phase_ != Phase::kLive || parked_) return {};
  Stopping stopping{reason > stop_, stop_ == StopReason::kNone, attempt_};
  if (stopping.raised) stop_ = reason;
  return stopping;
}

StopReason JobEntry::PendingStop() const {
  MutexLock lock(mutex_);
  const bool queued = phase_ == Phase::kLive && attempt_ == nullptr && !parked_;
  return queued ? stop_ : StopReason::kNone;
}

bool JobEntry::MarkStuck(const AttemptState* attempt) {
  MutexLock lock(mutex_);
  if (phase_ != Phase::kLive || attempt_.get() != attempt || stuck_) return false;
  stuck_ = true;
  return true;
}

bool JobEntry::Park() {
  MutexLock lock(mutex_);
  if (stop_ == StopReason::kCancel) return false;
  parked_ = true;
  return true;
}

bool JobEntry::Unpark() {
  MutexLock lock(mutex_);
  return phase_ == Phase::kLive && std::exchange(parked_, false);
}

std::optional<JobView> JobEntry::GiveUp(SteadyTime now) {
  MutexLock lock(mutex_);
  if (!VisibleLocked()) return std::nullopt;
  phase_ = Phase::kLost;
  return ViewLocked(now);
}

// --- looking -------------------------------------------------------------------------------------

bool JobEntry::VisibleLocked() const { return phase_ == Phase::kLive || phase_ == Phase::kEnding; }

JobView JobEntry::ViewLocked(SteadyTime now) const {
  JobView view;
  view.job = job_;
  view.state = state_;
  if (attempt_ == nullptr) {
    view.attempt = interrupted_ ? 1 : 0;
    view.queue_wait = now - accepted_;
    return view;
  }
  view.attempt = attempt_->number();
  view.stopping = stop_ != StopReason::kNone;
  view.worker = attempt_->place().worker;
  view.started_at = attempt_->started_wall();
  view.queue_wait = attempt_->started() - accepted_;
  view.run_time = now - attempt_->started();
  return view;
}

bool JobEntry::Matches(const JobFilter& filter) const {
  MutexLock lock(mutex_);
  return VisibleLocked() && filter.Matches(*job_, state_);
}

std::optional<JobView> JobEntry::View(SteadyTime now, bool with_log) const {
  std::shared_ptr<AttemptState> attempt;
  std::optional<JobView> view;
  {
    MutexLock lock(mutex_);
    if (phase_ != Phase::kLost && !VisibleLocked()) return std::nullopt;
    view = ViewLocked(now);
    attempt = attempt_;
  }
  if (attempt != nullptr) {
    attempt->CopyProgress(*view);
    if (with_log) view->log = attempt->CopyLog();
  }
  return view;
}

JobEntry::Waiting JobEntry::AddWaiter(Waiter& waiter) {
  MutexLock lock(mutex_);
  if (parked_ || phase_ == Phase::kLost) return Waiting::kInVain;
  if (!VisibleLocked()) return Waiting::kOver;
  rare().waiters.push_back(std::move(waiter));
  return Waiting::kAdded;
}

void JobEntry::RemoveWaiter(Ticket ticket) {
  std::vector<Waiter> dropped;  // destroyed after the lock
  MutexLock lock(mutex_);
  if (rare_ == nullptr) return;
  std::vector<Waiter>& waiters = rare_->waiters;
  const auto at = std::ranges::find(waiters, ticket, &Waiter::ticket);
  if (at == waiters.end()) return;
  dropped.push_back(std::move(*at));
  waiters.erase(at);
}

std::vector<Waiter> JobEntry::Close() {
  MutexLock lock(mutex_);
  if (phase_ != Phase::kLost) phase_ = Phase::kClosed;
  return rare_ == nullptr ? std::vector<Waiter>() : std::exchange(rare_->waiters, {});
}

std::vector<Waiter> JobEntry::TakeWaiters() {
  MutexLock lock(mutex_);
  return rare_ == nullptr ? std::vector<Waiter>() : std::exchange(rare_->waiters, {});
}

}  // namespace workpool
