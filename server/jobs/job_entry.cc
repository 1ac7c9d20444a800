#include "jobs/job_entry.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "base/check.h"
#include "base/work_texts.h"
#include "jobs/wait_group.h"

namespace workpool {

namespace {

// Beyond this a payload is worth a piece of memory of its own.
constexpr std::size_t kMaxTailPayload = 4096;

// What shares a job with others keeps its entry.
struct SharedEntry {
  Ref<const JobEntry> entry;
  Job job;
};

}  // namespace

static_assert(kMaxShortText <= std::numeric_limits<std::uint8_t>::max());

std::unique_ptr<JobEntry::Texts> JobEntry::TakeTexts(Work& work) {
  const bool large = work.payload.size() > kMaxTailPayload;
  if (!large && work.metadata.empty()) return nullptr;
  auto texts = std::make_unique<Texts>();
  if (large) texts->payload = std::exchange(work.payload, {});
  texts->metadata = std::move(work.metadata);
  return texts;
}

Ref<JobEntry> JobEntry::Make(JobOwner& owner, Ref<const Route> route, Work&& work) {
  std::unique_ptr<Texts> texts = TakeTexts(work);
  const std::size_t size = sizeof(JobEntry) + (texts == nullptr ? 0 : sizeof(Texts*)) +
                           work.payload.size() + work.content_type.size() + work.caller.size();
  return Ref(new (AllocateBlock(size)) JobEntry(owner, std::move(route), work, std::move(texts)));
}

JobEntry::JobEntry(JobOwner& owner, Ref<const Route> route, Work& work,
                   std::unique_ptr<Texts> texts)
    : owner_(owner),
      route_(std::move(route)),
      timeout_(work.timeout.value_or(route_->handler->timeout)),
      payload_bytes_(static_cast<std::uint32_t>(work.payload.size())),
      content_type_bytes_(static_cast<std::uint8_t>(work.content_type.size())),
      caller_bytes_(static_cast<std::uint8_t>(work.caller.size())),
      has_texts_(texts != nullptr) {
  priority = static_cast<std::uint8_t>(work.priority);
  weight = work.weight;
  group = &route_->group;
  brief = route_->handler->handler->brief();
  if (has_texts_) new (this + 1) const Texts*(texts.release());
  char* at = const_cast<char*>(tail());
  at = std::ranges::copy(work.payload, at).out;
  at = std::ranges::copy(work.content_type, at).out;
  std::ranges::copy(work.caller, at);
  bytes = BytesOf(job());
}

JobEntry::~JobEntry() = default;

void JobEntry::Destroy() const {
  const char* const end = tail() + payload_bytes_ + content_type_bytes_ + caller_bytes_;
  const auto size = static_cast<std::size_t>(end - reinterpret_cast<const char*>(this));
  delete texts();
  this->~JobEntry();
  FreeBlock(const_cast<JobEntry*>(this), size);
}

const JobEntry::Texts* JobEntry::texts() const {
  return has_texts_ ? *reinterpret_cast<const Texts* const*>(this + 1) : nullptr;
}

const char* JobEntry::tail() const {
  return reinterpret_cast<const char*>(this + 1) + (has_texts_ ? sizeof(Texts*) : 0);
}

Job JobEntry::job() const {
  const char* const payload = tail();
  const char* const content_type = payload + payload_bytes_;
  const char* const caller = content_type + content_type_bytes_;
  Job job;
  job.id = id_;
  job.handler = route_->handler->name;
  job.pool = route_->pool->name();
  job.payload = {payload, payload_bytes_};
  job.content_type = {content_type, content_type_bytes_};
  job.caller = {caller, caller_bytes_};
  job.priority = priority;
  job.weight = weight;
  job.timeout = timeout_;
  job.accepted_at = accepted_at_;
  if (const Texts* const texts = this->texts()) {
    if (!texts->payload.empty()) job.payload = texts->payload;
    if (!texts->metadata.empty()) job.metadata = &texts->metadata;
  }
  return job;
}

std::shared_ptr<const Job> JobEntry::SharedJob() const {
  auto shared =
      std::allocate_shared<const SharedEntry>(BlockAllocator<SharedEntry>(), Ref(this), job());
  const Job* const job = &shared->job;
  return {std::move(shared), job};
}

JobEntry::Rare& JobEntry::rare() {
  if (rare_ == nullptr) rare_ = std::make_unique<Rare>();
  return *rare_;
}

// --- posting -------------------------------------------------------------------------------------

void JobEntry::SetStopAt(SteadyTime when) {
  SmallMutexLock lock(mutex_);
  rare().stop_at = when;
}

void JobEntry::AddFinished(FinishedDone done) {
  SmallMutexLock lock(mutex_);
  rare().waiters.push_back({0, std::move(done)});
}

void JobEntry::PrepareWait(Wait wait) {
  SmallMutexLock lock(mutex_);
  wait_group_ = std::move(wait.group);
  wait_index_ = wait.index;
}

JobEntry::Wait JobEntry::EndWait() {
  SmallMutexLock lock(mutex_);
  return {std::exchange(wait_group_, nullptr), wait_index_};
}

void JobEntry::Accept(JobId id, WallTime wall, SteadyTime now) {
  SmallMutexLock lock(mutex_);
  WORKPOOL_CHECK(phase_ == Phase::kPosting);
  phase_ = Phase::kCommitting;
  id_ = id;
  accepted_at_ = wall;
  accepted_ = now;
}

std::optional<SteadyTime> JobEntry::SetLive() {
  SmallMutexLock lock(mutex_);
  WORKPOOL_CHECK(phase_ == Phase::kCommitting);
  phase_ = Phase::kLive;
  return rare_ == nullptr ? std::nullopt : rare_->stop_at;
}

void JobEntry::KeepStopKey(const DeadlineKey& key) {
  SmallMutexLock lock(mutex_);
  rare().stop_key = key;
}

// --- running -------------------------------------------------------------------------------------

JobEntry::Started JobEntry::Start(Place place, SteadyTime now, const Clock& clock) {
  std::optional<SteadyTime> deadline;
  if (timeout_.count() > 0) deadline = now + timeout_;
  SmallMutexLock lock(mutex_);
  if (rare_ != nullptr && rare_->stop_at) {
    deadline = std::min(*rare_->stop_at, deadline.value_or(*rare_->stop_at));
  }
  state_ = Next(state_, JobEvent::kTaken);
  const std::chrono::nanoseconds queue_wait = now - accepted_;
  attempt_ = MakeRef<AttemptState>(place, 1, now, Later(accepted_at_, queue_wait, clock), deadline,
                                   handler().kill_grace);
  return {attempt_, stop_, queue_wait};
}

JobEntry::Ended JobEntry::EndAttempt(Report& report, SteadyTime now, const Clock& clock) {
  Ended ended;
  SmallMutexLock lock(mutex_);
  ended.was_stuck = stuck_;
  stuck_ = false;
  if (phase_ == Phase::kLost) {
    ended.lost = true;
    return ended;
  }
  WORKPOOL_CHECK(phase_ == Phase::kLive);
  AttemptState* const attempt = attempt_.get();
  const Ending ending =
      Decide(report, stop_, attempt->EndsBy(timeout_) ? std::optional(timeout_) : std::nullopt);
  const JobState next = Next(state_, ending.event);
  ended.outcome = ending.outcome;
  ended.at = now;
  ended.run_time = now - attempt->started();
  if (rare_ != nullptr) {
    ended.awaited = !rare_->waiters.empty();
    ended.stop_key = rare_->stop_key;
  }
  if (ending.event == JobEvent::kInterrupt) {
    state_ = next;
    interrupted_ = true;
    attempt_ = nullptr;
    ended.parked = parked_ = true;
    return ended;
  }
  phase_ = Phase::kEnding;
  JobView& view = report.view;
  FillLocked(view, now);
  lock.Unlock();

  view.state = next;
  view.stopping = false;
  view.finished_at = Later(attempt->started_wall(), ended.run_time, clock);
  attempt->MoveReportsTo(view);
  return ended;
}

std::optional<JobView> JobEntry::EndQueued(JobEvent event, JobFailure failure, SteadyTime now,
                                           WallTime wall) {
  SmallMutexLock lock(mutex_);
  WORKPOOL_CHECK(phase_ == Phase::kLive || phase_ == Phase::kLost);
  std::optional<JobView> view;
  if (phase_ == Phase::kLost) return view;
  FillLocked(view.emplace(), now);
  view->state = Next(state_, event);
  phase_ = Phase::kEnding;
  lock.Unlock();
  view->finished_at = wall;
  view->failure = std::move(failure);
  return view;
}

bool JobEntry::IsLive() const {
  SmallMutexLock lock(mutex_);
  return phase_ == Phase::kLive;
}

// --- stopping ------------------------------------------------------------------------------------

JobEntry::Stopping JobEntry::RequestStop(StopReason reason) {
  SmallMutexLock lock(mutex_);
  if (phase_ != Phase::kLive || parked_) return {};
  Stopping stopping{reason > stop_, stop_ == StopReason::kNone, attempt_};
  if (stopping.raised) stop_ = reason;
  return stopping;
}

StopReason JobEntry::PendingStop() const {
  SmallMutexLock lock(mutex_);
  const bool queued = phase_ == Phase::kLive && attempt_ == nullptr && !parked_;
  return queued ? stop_ : StopReason::kNone;
}

bool JobEntry::MarkStuck(const AttemptState* attempt) {
  SmallMutexLock lock(mutex_);
  if (phase_ != Phase::kLive || attempt_.get() != attempt || stuck_) return false;
  stuck_ = true;
  return true;
}

bool JobEntry::Park() {
  SmallMutexLock lock(mutex_);
  if (stop_ == StopReason::kCancel) return false;
  parked_ = true;
  return true;
}

bool JobEntry::Unpark() {
  SmallMutexLock lock(mutex_);
  return phase_ == Phase::kLive && std::exchange(parked_, false);
}

bool JobEntry::GiveUp() {
  SmallMutexLock lock(mutex_);
  if (!VisibleLocked()) return false;
  phase_ = Phase::kLost;
  return true;
}

JobView JobEntry::Lost(SteadyTime now) const {
  SmallMutexLock lock(mutex_);
  return ViewLocked(now);
}

// --- looking -------------------------------------------------------------------------------------

bool JobEntry::VisibleLocked() const { return phase_ == Phase::kLive || phase_ == Phase::kEnding; }

void JobEntry::FillLocked(JobView& view, SteadyTime now) const {
  view.state = state_;
  if (attempt_ == nullptr) {
    view.attempt = interrupted_ ? 1 : 0;
    view.queue_wait = now - accepted_;
    return;
  }
  view.attempt = attempt_->number();
  view.stopping = stop_ != StopReason::kNone;
  view.worker = attempt_->place().worker;
  view.started_at = attempt_->started_wall();
  view.queue_wait = attempt_->started() - accepted_;
  view.run_time = now - attempt_->started();
}

JobView JobEntry::ViewLocked(SteadyTime now) const {
  JobView view;
  view.job = SharedJob();
  FillLocked(view, now);
  return view;
}

bool JobEntry::Matches(const JobFilter& filter) const {
  SmallMutexLock lock(mutex_);
  return VisibleLocked() && filter.Matches(job(), state_);
}

std::optional<JobView> JobEntry::View(SteadyTime now, bool with_log) const {
  Ref<AttemptState> attempt;
  std::optional<JobView> view;
  {
    SmallMutexLock lock(mutex_);
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
  SmallMutexLock lock(mutex_);
  if (parked_ || phase_ == Phase::kLost) return Waiting::kInVain;
  if (!VisibleLocked()) return Waiting::kOver;
  rare().waiters.push_back(std::move(waiter));
  return Waiting::kAdded;
}

void JobEntry::RemoveWaiter(Ticket ticket) {
  std::vector<Waiter> dropped;  // destroyed after the lock
  SmallMutexLock lock(mutex_);
  if (rare_ == nullptr) return;
  std::vector<Waiter>& waiters = rare_->waiters;
  const auto at = std::ranges::find(waiters, ticket, &Waiter::ticket);
  if (at == waiters.end()) return;
  dropped.push_back(std::move(*at));
  waiters.erase(at);
}

std::vector<Waiter> JobEntry::Close() {
  SmallMutexLock lock(mutex_);
  if (phase_ != Phase::kLost) phase_ = Phase::kClosed;
  return rare_ == nullptr ? std::vector<Waiter>() : std::exchange(rare_->waiters, {});
}

std::vector<Waiter> JobEntry::TakeWaiters() {
  SmallMutexLock lock(mutex_);
  return rare_ == nullptr ? std::vector<Waiter>() : std::exchange(rare_->waiters, {});
}

}  // namespace workpool
