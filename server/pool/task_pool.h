// An admission object behind a lock: what the dispatcher talks to. Thread safe; no call blocks on a
// task, except the two Await calls. Two kinds: ThreadPool (real threads) and ManualPool (stepped by
// a test or a simulation).
//
// A call that makes room tells the posts that waited for it (Task::WaitAccepted) before it returns,
// after it has let go of the lock; but what becomes room while brief tasks run may be told by their
// thread, to several posts at once, a moment later (ThreadPool).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "pool/admission.h"
#include "pool/places.h"

namespace workpool {

class TaskPool : public Places {
 public:
  // No call may be under way on another thread, except Finish.
  virtual ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  OfferResult Offer(Task& task, WhenFull when_full, bool publish = true);
  // Offers in order, under one lock; `results` gets one entry a task.
  void OfferMany(std::span<Task* const> tasks, WhenFull when_full,
                 std::vector<OfferResult>& results, bool publish = true);
  // As OfferMany with kWait, up to the first task that would have to wait: that one and the rest
  // are not offered, and have no result.
  void OfferUntilWait(std::span<Task* const> tasks, std::vector<OfferResult>& results,
                      bool publish = true);
  void Publish(Task& task);
  void PublishMany(std::span<Task* const> tasks);

  // Ends a wait for room: the poster gave up, or its time is over. True: it counts as refused with
  // `why`, neither WaitAccepted nor WaitRefused will be called, the task is the caller's again.
  // False: one of them has been called or will be.
  bool GiveUp(Task& task, Refusal why);

  // Takes out a task that waits for room (as GiveUp), is queued, or has started but is in nobody's
  // hands yet. True: the task is the caller's again. False: Run has been called or will be, also
  // while WaitAccepted is being called for it.
  bool Withdraw(Task& task, Refusal why = Refusal::kCancelled);

  // For an acceptance (publish = false) that could not be committed; it counts as refused instead.
  bool Revoke(Task& task, Refusal why);

  void Finish(Place place) override;

  void Resize(const PoolLimits& limits);
  // How many tasks of the group may be active; 0: any number. See Admission::Limit.
  void Limit(LimitGroup& group, std::uint64_t max_active);
  void Limit(LimitGroup& group, std::shared_ptr<ActiveLimit> limit, bool shared);
  // Starts and admits what is due: for the owner of a shared limit of which something is free.
  void Serve();
  // How many threads are kept: of those beyond `min`, one that was not used for `idle` ends. A pool
  // without threads has nothing to keep.
  virtual void KeepThreads(std::uint32_t /*min*/, std::chrono::nanoseconds /*idle*/) {}
  void Pause();
  void Resume();
  void Drain();
  void Close(bool run_queued);

  // All queued tasks, in order; they are the caller's again. Left out are those whose acceptance is
  // still being committed or told.
  std::vector<Task*> TakeQueued();

  // Calls `done` once, as soon as nothing is active and nothing queued that may still start (after
  // Close(false) what is queued may not): perhaps at once, else on the thread that finishes the
  // last task. Dropped when the pool is destroyed first.
  void WhenIdle(std::move_only_function<void()> done);

  // Blocks until the same holds; false when `deadline` came first.
  bool AwaitIdle(SteadyTime deadline);

  // AwaitOthers blocks until only bystanders are active, whatever is queued behind them; false when
  // `deadline` came first.
  void AddBystander() override;
  void RemoveBystander() override;
  bool AwaitOthers(SteadyTime deadline);

  // Blocks until no WaitAccepted or WaitRefused is under way or due. Only after Close; not from
  // one.
  void AwaitNotices();

  // After Close: waits for what the implementation runs on. False when `deadline` came first.
  virtual bool Join(SteadyTime) { return true; }

  PoolStats Read() const;

  // Peaks since the call before with the same window.
  void AddWindow(PeakWindow& window);
  void RemoveWindow(PeakWindow& window);
  PeakWindow TakeWindow(PeakWindow& window);

 protected:
  // Telling posts costs a round of the lock and more: many share it.
  static constexpr std::size_t kNoticesAtOnce = 64;

  explicit TaskPool(const PoolLimits& limits);

  // Tells the next posts whose wait has ended (there must be one), at most kNoticesAtOnce; lets go
  // of the lock meanwhile.
  void DeliverNotices() REQUIRES(mutex_);
  // What every call ends with: notices, idle callbacks, waking.
  void Leave() RELEASE(mutex_);
  // The same for calls that are rare: they leave nobody to be told later.
  void LeaveAndTell() RELEASE(mutex_);
  // Wakes those who wait for quiet, if there may be something new for them.
  void NotifyQuiet() REQUIRES(mutex_);
  // A thread that leaves the lock and will come back to it: the pool must not go meanwhile.
  void GoOutside() REQUIRES(mutex_) { ++outside_; }
  void ComeBack() REQUIRES(mutex_);
  // Waits for a change that NotifyQuiet tells; false when `deadline` has passed.
  bool WaitQuiet(SteadyTime deadline) REQUIRES(mutex_);

  // Lets go of the lock; sees to it that somebody comes for the ready tasks.
  virtual void UnlockAndWake() RELEASE(mutex_) { mutex_.Unlock(); }

  mutable Mutex mutex_;
  Admission admission_ GUARDED_BY(mutex_);
  int outside_ GUARDED_BY(mutex_) = 0;
  // While it is set a thread that will soon be back tells the posts whose wait has ended.
  std::optional<SteadyTime> tell_by_ GUARDED_BY(mutex_);

 private:
  std::vector<std::move_only_function<void()>> TakeIdleCallbacks() REQUIRES(mutex_);

  CondVar quiet_;
  int quiet_waiters_ GUARDED_BY(mutex_) = 0;
  std::uint64_t bystanders_ GUARDED_BY(mutex_) = 0;
  std::vector<std::move_only_function<void()>> when_idle_ GUARDED_BY(mutex_);
};

}  // namespace workpool
