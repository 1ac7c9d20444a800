// What a pool queues and runs: an intrusive node, so that posting allocates nothing here.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>

#include "base/clock.h"

namespace workpool {

class LimitGroup;

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
  kTooHeavy,     // weighs more than the pool may come to have workers
};
inline constexpr int kRefusals = 7;

// The place or places that a started task holds in its pool, until they are handed back with
// Finish. A value: the pool does not look at the task again once Run has been called.
struct Place {
  std::uint32_t worker = 0;  // the worker's number, 0..n-1, stable while the task runs
  // What the task that got it says of these:
  std::uint32_t weight = 1;
  LimitGroup* group = nullptr;
};

enum class RunStatus : std::uint8_t {
  kFinished,  // the place is free again
  kPending,   // the task goes on elsewhere; somebody calls TaskPool::Finish(place) exactly once
};

// Ownership: from a successful Offer until Run is called, WaitRefused is called, or Withdraw,
// GiveUp or Revoke returns true, the pool refers to the task and it must stay alive and in place.
// The pool never deletes a task. A task is in at most one pool at a time.
class Task {
 public:
  virtual ~Task() = default;

  // Runs the work on a worker; called once for each accepted task, with no lock held. The task may
  // be destroyed before Run returns. With kPending the place may be handed back before Run returns.
  virtual RunStatus Run(Place place) noexcept = 0;

  // A post that waited for room has been accepted. Returns before Run is called. Called with no
  // lock held, on the thread whose call made the room; must not block. Publish and Revoke may be
  // called from here.
  virtual void WaitAccepted() noexcept {}

  // The same for several posts of one pool in their order, of which this is the first. To be
  // overridden where all tasks of a pool are of one kind, which may do it in one go.
  virtual void AllAccepted(std::span<Task* const> tasks) noexcept {
    for (Task* task : tasks) task->WaitAccepted();
  }

  // A post that waited for room has been refused. The pool is done with the task.
  virtual void WaitRefused(Refusal) noexcept {}

 protected:
  Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

 private:
  friend class Admission;
  friend class RankedQueue;
  friend class TaskList;

  // Where its pool has it. Accepted tasks are queued, or hold a place: reserved while the owner
  // has not published it or not yet been told of the acceptance, else ready.
  enum class Where : std::uint8_t { kNowhere, kWaiting, kQueued, kReserved, kReady };
  // Whether the owner of a post that waited knows of the acceptance.
  enum class Told : std::uint8_t { kYes, kNotYet, kBeingTold };

 public:
  // Set before Offer, constant while the pool has the task.
  std::uint8_t priority = kDefaultPriority;

 private:
  Where where_ = Where::kNowhere;
  Told told_ = Told::kYes;
  bool published_ : 1 = false;

 public:
  // Run returns soon and waits for nothing: no more threads than the cores can use are started for
  // such tasks. Shares a byte with the flag before, so that a queued job is 8 bytes smaller.
  bool brief : 1 = false;
  std::uint32_t weight = 1;     // how many of the pool's places it takes; at least 1
  std::uint64_t bytes = 0;      // what it counts against capacity_bytes
  SteadyTime offered_at = {};   // for the age of the oldest queued task
  LimitGroup* group = nullptr;  // whose limit of active tasks it counts for; nullptr: none

 private:
  Task* prev_ = nullptr;
  Task* next_ = nullptr;
  std::uint64_t rank_ = 0;    // among waiting posts by arrival, among queued tasks by acceptance
  std::uint32_t worker_ = 0;  // while it holds a place
  std::uint32_t notice_ = 0;  // its entry in the notice queue, while kNotYet
};

}  // namespace workpool
