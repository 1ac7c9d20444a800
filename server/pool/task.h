// What a pool queues and runs: an intrusive node, so that posting allocates nothing here.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"

namespace workpool {

inline constexpr int kPriorities = 10;  // 0..9, 9 is most urgent
inline constexpr int kDefaultPriority = 5;

enum class WhenFull : std::uint8_t { kReject, kWait };

// Why a pool did not take a task.
enum class Refusal : std::uint8_t {
  kQueueFull,    // no room, or too many posts wait for it already
  kTooLarge,     // alone exceeds capacity_bytes
  kWaitTimeout,  // waited for room in vain
  kCancelled,    // its poster gave up while it waited
  kDraining,     // the pool takes no posts
  kStore,        // the acceptance could not be committed
};
inline constexpr int kRefusals = 6;

// The place that a started task holds in its pool, until it is handed back with Finish. A value:
// the pool does not look at the task again once Run has been called.
struct Place {
  std::uint32_t worker = 0;  // the worker's number, 0..n-1, stable while the task runs
};

enum class RunStatus : std::uint8_t {
  kFinished,  // the place is free again
  kPending,   // the task goes on elsewhere; somebody calls TaskPool::Finish(place) exactly once
};

// Ownership: from a successful Offer until Run is called, WaitEnded reports a refusal, or Withdraw
// returns true, the pool refers to the task and it must stay alive and in place. The pool never
// deletes a task. A task is in at most one pool at a time.
class Task {
 public:
  virtual ~Task() = default;

  // Runs the work on a worker; called once for each accepted task, with no lock held. The task may
  // be destroyed before Run returns. With kPending the place may be handed back before Run returns.
  virtual RunStatus Run(Place place) noexcept = 0;

  // A post that waited for room has been accepted. Called before Run, with no lock held, on the
  // thread whose call made the room.
  virtual void WaitAccepted() noexcept {}

  // A post that waited for room has been refused. The pool is done with the task.
  virtual void WaitRefused(Refusal) noexcept {}

 protected:
  Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

 public:
  // Set before Offer, constant while the pool has the task.
  std::uint8_t priority = kDefaultPriority;
  std::uint64_t bytes = 0;     // what it counts against capacity_bytes
  SteadyTime offered_at = {};  // for the age of the oldest queued task

 private:
  friend class Admission;
  friend class TaskList;
  enum class Where : std::uint8_t { kNowhere, kWaiting, kQueued, kReserved, kReady };
  Where where_ = Where::kNowhere;
  bool published_ = false;
  Place place_ = {};
  Task* prev_ = nullptr;
  Task* next_ = nullptr;
};

}  // namespace workpool
