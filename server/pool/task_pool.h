// An admission object behind a lock: what the dispatcher talks to. Thread safe; no call blocks on a
// task. Two kinds: ThreadPool (real threads) and ManualPool (stepped by a test or a simulation).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "pool/admission.h"

namespace workpool {

class TaskPool {
 public:
  virtual ~TaskPool();

  OfferResult Offer(Task& task, WhenFull when_full, bool publish = true);
  // Offers in order, under one lock; `results` gets one entry a task.
  void OfferMany(std::vector<Task*>& tasks, WhenFull when_full, std::vector<OfferResult>& results,
                 bool publish = true);
  void Publish(Task& task);
  void PublishMany(const std::vector<Task*>& tasks);
  bool Withdraw(Task& task, Refusal why = Refusal::kCancelled);
  bool GiveUp(Task& task, Refusal why);
  bool Revoke(Task& task, Refusal why);
  void Finish(Place place);  // for tasks whose Run returned kPending

  void Resize(const PoolLimits& limits);
  void Pause();
  void Resume();
  void Drain();
  void Close(bool run_queued);
  // All queued tasks, in order; they are the caller's again.
  std::vector<Task*> TakeQueued();

  // Calls `done` once, as soon as nothing is queued and nothing active: perhaps at once, else on
  // the thread that finishes the last task. Dropped when the pool is destroyed first.
  void WhenIdle(std::move_only_function<void()> done);

  PoolStats Read() const;

  // Peaks since the call before with the same window.
  void AddWindow(PeakWindow& window);
  void RemoveWindow(PeakWindow& window);
  PeakWindow TakeWindow(PeakWindow& window);

 protected:
  explicit TaskPool(const PoolLimits& limits);
  // The implementation adds: the locked core and the hooks by which ThreadPool wakes its workers.
};

}  // namespace workpool
