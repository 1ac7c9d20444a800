// The admission object: the only place that decides whether a post is accepted, that counts queued
// and active, and that chooses what runs next. Passive and deterministic: no thread, no clock, no
// I/O, no allocation after construction except when it grows. Not thread safe: its owner locks.
// Every operation is O(1) in the number of tasks and O(limited groups), plus what it starts or
// admits; exceptions say so.
//
// The rules (docs/admission.md; the tests prove each):
// - A task is passed over while its group has as many active tasks as its limit allows; it keeps
//   its rank.
// - A task can start now when the pool is not paused, there are free places for its weight, it is
//   not passed over, and no queued task or waiting post of its priority or above is ahead of it,
//   other than those that are passed over. One that merely lacks places holds up all others of its
//   priority and below. One heavier than the pool is now starts when nothing is active.
// - Otherwise there is room when no post of its priority or above waits for room,
//   queued < capacity, and its bytes fit.
// - Otherwise it is refused or waits. Waiting posts are served by priority, then arrival; one that
//   does not fit by its bytes is not overtaken by a later one of its priority or below.
// - capacity 0 is hand-off: accepted exactly when it can start now.
// - Within a priority tasks start in the order of their acceptance; a higher priority always first.
//
// Started tasks lie in the ready list, already counted as active, until the owner takes them with
// TakeReady and runs them. Waits that have ended lie in the notice queue until TakeNotice; a post
// so accepted holds its place at once, but is ready only when Told says that its owner knows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "pool/limit_group.h"
#include "pool/notice_queue.h"
#include "pool/ranked_queue.h"
#include "pool/task.h"
#include "pool/task_list.h"
#include "pool/worker_numbers.h"

namespace workpool {

struct PoolLimits {
  std::uint32_t workers = 1;     // at least 1
  std::uint32_t max_weight = 0;  // of a task that is taken; never less than workers
  std::uint64_t capacity = 0;
  std::uint64_t capacity_bytes = std::uint64_t{256} << 20;
  std::uint64_t max_waiting = 10'000;  // waiting posts; their bytes are bounded by capacity_bytes

  std::uint32_t HeaviestTask() const { return std::max(workers, max_weight); }
};

// One reading; the sums hold: posted = accepted + refused + waiting,
// accepted = queued + active + finished + withdrawn.
struct PoolStats {
  PoolLimits limits;
  bool paused = false;
  bool draining = false;
  bool closed = false;
  std::uint64_t queued = 0;
  std::uint64_t queued_bytes = 0;
  std::uint64_t active = 0;
  std::uint64_t places_taken = 0;  // the weights of the active ones; above workers after a shrink
  std::uint64_t waiting = 0;
  std::uint64_t waiting_bytes = 0;
  std::uint64_t queued_peak = 0;  // since construction
  std::uint64_t active_peak = 0;
  std::uint64_t accepted = 0;
  std::array<std::uint64_t, kRefusals> refused{};  // by Refusal
  std::uint64_t finished = 0;                      // places handed back
  std::uint64_t withdrawn = 0;                     // accepted, then taken out before they ran
  std::optional<SteadyTime> oldest_queued;         // offered_at of the oldest queued task

  std::uint64_t RefusedTotal() const;
  std::uint64_t Posted() const { return accepted + RefusedTotal() + waiting; }
  std::uint64_t WorkersIdle() const {
    return limits.workers > places_taken ? limits.workers - places_taken : 0;
  }
};

// Peaks over an interval of somebody's choosing. Registered with an admission object, which raises
// them; read and reset by its owner under the same lock.
struct PeakWindow {
  std::uint64_t queued_peak = 0;
  std::uint64_t active_peak = 0;
};

enum class Verdict : std::uint8_t { kStarted, kQueued, kWaiting, kRefused };

struct OfferResult {
  Verdict verdict;
  Refusal refusal = Refusal::kQueueFull;  // with kRefused
};

class Admission {
 public:
  explicit Admission(const PoolLimits& limits);
  Admission(const Admission&) = delete;
  Admission& operator=(const Admission&) = delete;

  // kStarted and kQueued hold a place for the task. With `publish` false (an acceptance that is
  // being committed) it does not run until Publish. The task's priority must be below kPriorities.
  OfferResult Offer(Task& task, WhenFull when_full, bool publish = true);

  // As Offer with kWait, for a caller who has to prepare for a wait: a task that would have to wait
  // is not offered, and has no result.
  std::optional<OfferResult> OfferUnlessWait(Task& task, bool publish = true);

  // The acceptance is committed: the task may run. Does nothing if it has been withdrawn meanwhile.
  void Publish(Task& task);

  // Ends a wait for room, which counts as refused with `why`; no notice is given. False if the task
  // does not wait any more, even if its owner has not been told of the acceptance or refusal yet.
  bool GiveUp(Task& task, Refusal why);

  // As GiveUp; besides takes out a task that is queued, or has started but is not yet in anybody's
  // hands, and frees its place at once. It stays counted as accepted; one that waited and whose
  // notice has not been taken yet counts as refused, and the notice is dropped. False if it is none
  // of these, also between TakeNotice and Told.
  bool Withdraw(Task& task, Refusal why = Refusal::kCancelled);

  // An acceptance that could not be committed: as Withdraw, and it counts as refused instead. Works
  // between TakeNotice and Told too.
  bool Revoke(Task& task, Refusal why);

  // The next task that has started, or nullptr. The caller runs it with the place.
  struct Started {
    Task* task = nullptr;
    Place place;
  };
  Started TakeReady();
  bool HasReady() const { return !ready_.empty(); }

  // Hands back a place. What it held of a limit that several pools share is not free before Return
  // has been called on each of TakeOwed, once the owner holds no lock: whoever shares the limit is
  // then served in turn, so that no pool keeps it to itself.
  void Finish(Place place);
  std::vector<std::shared_ptr<ActiveLimit>> TakeOwed() { return std::exchange(owed_, {}); }

  // Starts and admits what is due: for the owner of a shared limit of which something is free.
  void Serve();

  // The next wait that ended by acceptance or refusal, or nullptr. After an acceptance the caller
  // tells the task's owner and then calls Told with the ticket, which may well be after the task
  // was revoked and destroyed. Acceptances that are taken one after the other have consecutive
  // tickets, and may be told together.
  struct Notice {
    Task* task = nullptr;
    bool accepted = false;
    Refusal refusal = Refusal::kQueueFull;
    std::uint64_t ticket = 0;
  };
  Notice TakeNotice();
  void Told(std::uint64_t first_ticket, std::uint64_t count = 1);
  std::uint64_t notices() const { return notices_.size(); }
  bool HasNotice() const { return notices() > 0; }

  // Drops nothing: a smaller pool shrinks as tasks finish; a larger one serves waits at once. A
  // wait for room that a lower capacity_bytes has made vain ends with kTooLarge. O(workers +
  // waiting).
  void Resize(const PoolLimits& limits);

  // From now on at most so many tasks of the group are active (0: any number). Those above a lower
  // limit run on; a higher one serves at once. O(queued + waiting) where a limit comes or goes.
  void Limit(LimitGroup& group, std::uint64_t max_active);
  // The same with a limit (null: none) that groups of other pools may share. What is active in the
  // group counts from now on, even if that is more than the limit.
  void Limit(LimitGroup& group, std::shared_ptr<ActiveLimit> limit, bool shared);

  void Pause();
  // Ends a pause and a drain, not a close.
  void Resume();
  // Lifts a pause, refuses posts and ends waits for room; queued and active tasks run.
  void Drain();
  // As Drain and for good (a later Pause or Resume does nothing); with `run_queued` false no queued
  // task starts any more.
  void Close(bool run_queued);

  // All queued tasks, in the order in which they would start, except those whose acceptance is
  // still being committed or told. They count as withdrawn. Waiting posts get the room only then.
  // For purge and stop. O(queued), with limited groups O(n log n).
  std::vector<Task*> TakeQueued();

  // Nothing is active, and nothing is queued that may still start.
  bool Idle() const;
  std::uint64_t active() const { return active_; }
  const PoolLimits& limits() const { return limits_; }
  bool closed() const { return closed_; }

  PoolStats Read() const;

  // `window` must stay alive until removed.
  void AddWindow(PeakWindow& window);
  void RemoveWindow(PeakWindow& window);
  // Starts a new interval: the peaks become the present values.
  void ResetWindow(PeakWindow& window) const;

 private:
  struct Telling {
    std::uint64_t ticket;
    Task* task;
  };

  // Why the task is refused whatever is free.
  std::optional<Refusal> Bar(const Task& task) const;
  bool MayStart() const;
  bool HasPlacesFor(const Task& task) const;
  bool CanStartNow(const Task& task) const;
  bool HasRoomFor(const Task& task) const;
  bool Fits(const Task& task) const;
  bool MayWait(const Task& task) const;
  Task* SelectNext() const;

  std::optional<OfferResult> Admit(Task& task, bool publish);
  bool TakeOfLimit(const Task& task);
  void ReturnToLimit(LimitGroup& group);
  void StartWaitingTask(Task& task);
  void Start(Task& task);
  void Enqueue(Task& task);
  void MakeReady(Task& task);
  void AcceptWait(Task& task);
  void RefuseWait(Task& task, Refusal why);
  void RefuseAllWaits(Refusal why);
  OfferResult Refuse(Refusal why);
  void CountRefused(Refusal why) { ++refused_[static_cast<std::size_t>(why)]; }
  void TakeOut(Task& task);
  void FreePlaces(const Place& place);
  void ForgetTelling(const Task& task);
  void RaisePeak(std::uint64_t PeakWindow::* peak, std::uint64_t now);

  static bool Accepted(const Task& task);
  static Place PlaceOf(const Task& task) { return {task.worker_, task.weight, task.group}; }

  PoolLimits limits_;
  bool paused_ = false;
  bool draining_ = false;
  bool closed_ = false;
  bool run_queued_ = true;  // false: closed, and what is queued stays there

  std::vector<LimitGroup*> limited_;
  std::vector<std::shared_ptr<ActiveLimit>> owed_;
  RankedQueue queued_{limited_, &LimitGroup::queued_};
  RankedQueue waiting_{limited_, &LimitGroup::waiting_};
  TaskList ready_;
  NoticeQueue notices_;
  std::vector<Telling> telling_;  // by ticket
  std::uint64_t last_ticket_ = 0;
  WorkerNumbers numbers_;
  std::uint64_t active_ = 0;
  std::uint64_t places_taken_ = 0;

  std::uint64_t accepted_ = 0;
  std::array<std::uint64_t, kRefusals> refused_{};
  std::uint64_t finished_ = 0;
  std::uint64_t withdrawn_ = 0;
  PeakWindow peaks_;
  std::vector<PeakWindow*> windows_;
};

}  // namespace workpool
