// The admission object: the only place that decides whether a post is accepted, that counts queued
// and active, and that chooses what runs next. Passive and deterministic: no thread, no clock, no
// I/O, no allocation after construction except when it grows. Not thread safe: its owner locks.
//
// The rules (docs/admission.md; the tests prove each):
// - A task can start now when the pool is not paused, a place is free (active < workers), and no
//   queued task or waiting post of its priority or above is ahead of it.
// - Otherwise there is room when no post of its priority or above waits for room, queued <
// capacity,
//   and its bytes fit.
// - Otherwise it is refused or waits. Waiting posts are served by priority, then arrival; one that
//   does not fit by its bytes is not overtaken by a later one of its priority or below.
// - capacity 0 is hand-off: accepted exactly when it can start now.
// - Within a priority tasks start in the order of their acceptance; a higher priority always first.
//
// Started tasks lie in the ready list, already counted as active, until the owner takes them with
// TakeReady and runs them. Waits that have ended lie in the notice list until TakeNotice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pool/task.h"

namespace workpool {

struct PoolLimits {
  std::uint32_t workers = 1;  // at least 1
  std::uint64_t capacity = 0;
  std::uint64_t capacity_bytes = std::uint64_t{256} << 20;
  std::uint64_t max_waiting = 10'000;  // waiting posts; their bytes are bounded by capacity_bytes
};

// One reading; the sums hold: posted = accepted + refused + waiting.
struct PoolStats {
  PoolLimits limits;
  bool paused = false;
  bool draining = false;
  bool closed = false;
  std::uint64_t queued = 0;
  std::uint64_t queued_bytes = 0;
  std::uint64_t active = 0;
  std::uint64_t waiting = 0;
  std::uint64_t waiting_bytes = 0;
  std::uint64_t queued_peak = 0;  // since construction
  std::uint64_t active_peak = 0;
  std::uint64_t accepted = 0;
  std::array<std::uint64_t, kRefusals> refused{};  // by Refusal
  std::uint64_t finished = 0;                      // places handed back
  std::uint64_t withdrawn = 0;                     // taken out of the queue again
  std::optional<SteadyTime> oldest_queued;         // offered_at of the oldest queued task

  std::uint64_t RefusedTotal() const;
  std::uint64_t Posted() const { return accepted + RefusedTotal() + waiting; }
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

// A doubly linked list threaded through Task.
class TaskList {
 public:
  bool empty() const { return head_ == nullptr; }
  Task* front() const { return head_; }
  void PushBack(Task& task);
  void Remove(Task& task);
  Task* PopFront();

 private:
  Task* head_ = nullptr;
  Task* tail_ = nullptr;
};

class Admission {
 public:
  explicit Admission(const PoolLimits& limits);

  // kStarted and kQueued hold a place for the task. With `publish` false (an acceptance that is
  // being committed) it does not run until Publish.
  OfferResult Offer(Task& task, WhenFull when_full, bool publish = true);

  // The acceptance is committed: the task may run. Does nothing if it has been withdrawn meanwhile.
  void Publish(Task& task);

  // Takes out a task that waits for room, is queued, or has started but is not yet in anybody's
  // hands, and frees its place at once. False if it is none of these. A waiting post counts as
  // refused with `why`, a withdrawn task stays counted as accepted; no notice is given.
  bool Withdraw(Task& task, Refusal why = Refusal::kCancelled);

  // Ends a wait for room: as Withdraw, but false if the task does not wait any more, even if its
  // acceptance has not been noticed yet.
  bool GiveUp(Task& task, Refusal why);

  // An acceptance that could not be committed: as Withdraw, and it counts as refused instead.
  bool Revoke(Task& task, Refusal why);

  // The next task that has started, or nullptr. The caller runs it with the place.
  struct Started {
    Task* task = nullptr;
    Place place;
  };
  Started TakeReady();
  bool HasReady() const;

  // Hands back a place.
  void Finish(Place place);

  // The next wait that ended by acceptance or refusal, or nullptr.
  struct Notice {
    Task* task = nullptr;
    bool accepted = false;
    Refusal refusal = Refusal::kQueueFull;
  };
  Notice TakeNotice();

  // Drops nothing: a smaller pool shrinks as tasks finish; a larger one serves waits at once.
  void Resize(const PoolLimits& limits);

  void Pause();
  // Ends a pause and a drain.
  void Resume();
  // Lifts a pause, refuses posts and ends waits for room; queued and active tasks run.
  void Drain();
  // As Drain and for good; with `run_queued` false no queued task starts any more.
  void Close(bool run_queued);

  // The queued tasks in the order in which they would start, taken out one by one; nullptr when
  // none is left. For purge and stop. Leaves out those that are not published yet.
  Task* PopQueued();

  bool Idle() const;
  PoolStats Read() const;

  // `window` must stay alive until removed.
  void AddWindow(PeakWindow& window);
  void RemoveWindow(PeakWindow& window);
  // Starts a new interval: the peaks become the present values.
  void ResetWindow(PeakWindow& window) const;

  // To be completed by the implementation: private state.
};

}  // namespace workpool
