#include "pool/task_pool.h"

#include <array>
#include <utility>

#include "base/check.h"

namespace workpool {

TaskPool::TaskPool(const PoolLimits& limits) : admission_(limits) {}

TaskPool::~TaskPool() = default;

// --- posting --------------------------------------------------------------------------------

OfferResult TaskPool::Offer(Task& task, WhenFull when_full, bool publish) {
  mutex_.Lock();
  const OfferResult result = admission_.Offer(task, when_full, publish);
  Leave();
  return result;
}

void TaskPool::OfferMany(std::span<Task* const> tasks, WhenFull when_full,
                         std::vector<OfferResult>& results, bool publish) {
  results.reserve(results.size() + tasks.size());
  mutex_.LockSoon();
  for (Task* task : tasks) results.push_back(admission_.Offer(*task, when_full, publish));
  Leave();
}

void TaskPool::OfferUntilWait(std::span<Task* const> tasks, std::vector<OfferResult>& results,
                              bool publish) {
  results.reserve(results.size() + tasks.size());
  mutex_.LockSoon();
  for (Task* task : tasks) {
    const auto result = admission_.OfferUnlessWait(*task, publish);
    if (!result) break;
    results.push_back(*result);
  }
  Leave();
}

void TaskPool::Publish(Task& task) {
  mutex_.Lock();
  admission_.Publish(task);
  Leave();
}

void TaskPool::PublishMany(std::span<Task* const> tasks) {
  mutex_.LockSoon();
  for (Task* task : tasks) admission_.Publish(*task);
  Leave();
}

bool TaskPool::GiveUp(Task& task, Refusal why) {
  mutex_.Lock();
  const bool given_up = admission_.GiveUp(task, why);
  LeaveAndTell();
  return given_up;
}

bool TaskPool::Withdraw(Task& task, Refusal why) {
  mutex_.Lock();
  const bool withdrawn = admission_.Withdraw(task, why);
  LeaveAndTell();
  return withdrawn;
}

bool TaskPool::Revoke(Task& task, Refusal why) {
  mutex_.Lock();
  const bool revoked = admission_.Revoke(task, why);
  LeaveAndTell();
  return revoked;
}

void TaskPool::Finish(Place place) {
  mutex_.Lock();
  admission_.Finish(place);
  Leave();
}

// --- control --------------------------------------------------------------------------------

void TaskPool::Resize(const PoolLimits& limits) {
  mutex_.Lock();
  admission_.Resize(limits);
  LeaveAndTell();
}

void TaskPool::Limit(LimitGroup& group, std::uint64_t max_active) {
  mutex_.Lock();
  admission_.Limit(group, max_active);
  LeaveAndTell();
}

void TaskPool::Limit(LimitGroup& group, std::shared_ptr<ActiveLimit> limit, bool shared) {
  mutex_.Lock();
  admission_.Limit(group, std::move(limit), shared);
  Leave();
}

void TaskPool::Serve() {
  mutex_.Lock();
  admission_.Serve();
  Leave();
}

void TaskPool::Pause() {
  mutex_.Lock();
  admission_.Pause();
  Leave();
}

void TaskPool::Resume() {
  mutex_.Lock();
  admission_.Resume();
  LeaveAndTell();
}

void TaskPool::Drain() {
  mutex_.Lock();
  admission_.Drain();
  LeaveAndTell();
}

void TaskPool::Close(bool run_queued) {
  mutex_.Lock();
  admission_.Close(run_queued);
  LeaveAndTell();
}

std::vector<Task*> TaskPool::TakeQueued() {
  mutex_.Lock();
  std::vector<Task*> taken = admission_.TakeQueued();
  LeaveAndTell();
  return taken;
}

// --- waiting for quiet ----------------------------------------------------------------------

void TaskPool::WhenIdle(std::move_only_function<void()> done) {
  mutex_.Lock();
  when_idle_.push_back(std::move(done));
  Leave();
}

bool TaskPool::AwaitIdle(SteadyTime deadline) {
  const MutexLock lock(mutex_);
  while (!admission_.Idle()) {
    if (!WaitQuiet(deadline)) return admission_.Idle();
  }
  return true;
}

void TaskPool::AddBystander() {
  const MutexLock lock(mutex_);
  ++bystanders_;
  NotifyQuiet();
}

void TaskPool::RemoveBystander() {
  const MutexLock lock(mutex_);
  WORKPOOL_CHECK(bystanders_ > 0);
  --bystanders_;
}

bool TaskPool::AwaitOthers(SteadyTime deadline) {
  const MutexLock lock(mutex_);
  while (admission_.active() > bystanders_) {
    if (!WaitQuiet(deadline)) return admission_.active() <= bystanders_;
  }
  return true;
}

void TaskPool::AwaitNotices() {
  const MutexLock lock(mutex_);
  while (outside_ > 0 || admission_.HasNotice()) WaitQuiet(SteadyTime::max());
}

bool TaskPool::WaitQuiet(SteadyTime deadline) {
  ++quiet_waiters_;
  const bool in_time = quiet_.WaitUntil(mutex_, deadline);
  --quiet_waiters_;
  return in_time;
}

// Those who wait look at few-active states only; a busy pool does not disturb them at each task.
void TaskPool::NotifyQuiet() {
  if (quiet_waiters_ > 0 && admission_.active() <= bystanders_) quiet_.NotifyAll();
}

void TaskPool::ComeBack() {
  if (--outside_ == 0 && quiet_waiters_ > 0) quiet_.NotifyAll();
}

// --- reading --------------------------------------------------------------------------------

PoolStats TaskPool::Read() const {
  const MutexLock lock(mutex_);
  return admission_.Read();
}

void TaskPool::AddWindow(PeakWindow& window) {
  const MutexLock lock(mutex_);
  admission_.AddWindow(window);
}

void TaskPool::RemoveWindow(PeakWindow& window) {
  const MutexLock lock(mutex_);
  admission_.RemoveWindow(window);
}

PeakWindow TaskPool::TakeWindow(PeakWindow& window) {
  const MutexLock lock(mutex_);
  const PeakWindow peaks = window;
  admission_.ResetWindow(window);
  return peaks;
}

// --- leaving the lock -----------------------------------------------------------------------

void TaskPool::DeliverNotices() {
  std::array<Task*, kNoticesAtOnce> accepted;
  std::size_t count = 0;
  std::uint64_t first_ticket = 0;
  Admission::Notice refused;
  while (count < accepted.size() && refused.task == nullptr && admission_.HasNotice()) {
    const Admission::Notice notice = admission_.TakeNotice();
    if (!notice.accepted) {
      refused = notice;
      continue;
    }
    if (count == 0) first_ticket = notice.ticket;
    accepted[count++] = notice.task;
  }
  GoOutside();
  UnlockAndWake();
  if (count > 0) accepted.front()->AllAccepted(std::span(accepted).first(count));
  if (refused.task != nullptr) refused.task->WaitRefused(refused.refusal);
  mutex_.LockSoon();
  ComeBack();
  admission_.Told(first_ticket, count);
}

std::vector<std::move_only_function<void()>> TaskPool::TakeIdleCallbacks() {
  if (when_idle_.empty() || !admission_.Idle()) return {};
  return std::exchange(when_idle_, {});
}

void TaskPool::LeaveAndTell() {
  tell_by_ = std::nullopt;
  Leave();
}

// After the last unlock nothing of this object is touched: the thread that waits for the last task
// may destroy it.
void TaskPool::Leave() {
  while (admission_.HasNotice() && !tell_by_) DeliverNotices();
  std::vector<std::move_only_function<void()>> idle = TakeIdleCallbacks();
  const std::vector<std::shared_ptr<ActiveLimit>> owed = admission_.TakeOwed();
  NotifyQuiet();
  UnlockAndWake();
  for (const auto& limit : owed) limit->Return();
  for (auto& done : idle) done();
}

}  // namespace workpool
