// An unfinished job: the node that its pool queues, and all of its state that changes. It is born
// with a post, lies in the job table from its acceptance until its outcome has been told, and every
// change of its state goes through the state table.
//
// Who may end a job: whoever has taken it out of its pool (Run, Withdraw or TakeQueued that
// returned it, a refused wait). The pool hands a task to one of them only, so no job ends twice.
//
// There may be millions, so it is one piece of memory: small texts lie behind the object, the names
// of pool and handler in its route. A test watches its size.
//
// Thread safe. The state lies under a lock of its own; no call here takes another lock or calls
// back, but for those that say so.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/block_cache.h"
#include "base/ref.h"
#include "base/small_mutex.h"
#include "jobs/attempt_state.h"
#include "jobs/ending.h"
#include "jobs/job_view.h"
#include "jobs/observer.h"
#include "jobs/pool_slot.h"
#include "jobs/post_request.h"
#include "jobs/routes.h"
#include "jobs/store.h"
#include "pool/task.h"

namespace workpool {

class JobEntry;
class WaitGroup;

// What an entry tells the dispatcher when its pool calls.
class JobOwner {
 public:
  virtual ~JobOwner() = default;
  virtual RunStatus Run(JobEntry& entry, Place place) noexcept = 0;
  virtual void WaitsAccepted(std::span<Task* const> entries) noexcept = 0;
  virtual void WaitRefused(JobEntry& entry, Refusal why) noexcept = 0;
};

struct Waiter {
  Ticket ticket = 0;
  FinishedDone done;
};

class JobEntry final : public Task {
 public:
  // `work` has been checked for `route`.
  static Ref<JobEntry> Make(JobOwner& owner, Ref<const Route> route, Work&& work);

  void AddRef() const { refs_.Add(); }
  void DropRef() const {
    if (refs_.Drop()) Destroy();
  }

  RunStatus Run(Place place) noexcept override { return owner_.Run(*this, place); }
  void AllAccepted(std::span<Task* const> tasks) noexcept override { owner_.WaitsAccepted(tasks); }
  void WaitRefused(Refusal why) noexcept override { owner_.WaitRefused(*this, why); }

  // 0 until the acceptance; constant from then on.
  JobId id() const { return id_; }
  // The job, good as long as the entry; and one that keeps the entry.
  Job job() const;
  std::shared_ptr<const Job> SharedJob() const;
  std::chrono::nanoseconds timeout() const { return timeout_; }
  PoolSlot& pool() const { return *route_->pool; }
  const HandlerConfig& handler() const { return *route_->handler; }
  const JobLabels& labels() const { return route_->labels; }

  // --- posting: one thread at a time -------------------------------------------------------------
  // RunWork's bound: when the job is stopped, wherever it is then.
  void SetStopAt(SteadyTime when);
  void AddFinished(FinishedDone done);

  // The post may come to wait for room, as one of a group, which keeps its answer.
  struct Wait {
    Ref<WaitGroup> group;
    std::uint32_t index = 0;
  };
  void PrepareWait(Wait wait);
  // The wait has ended. Empty for all but the first caller.
  Wait EndWait();

  // Accepted: gets its id. Not visible until the acceptance is committed.
  void Accept(JobId id, WallTime wall, SteadyTime now);
  // The acceptance is committed. Answers when RunWork's bound stops the job, if it has one.
  std::optional<SteadyTime> SetLive();
  // RunWork's deadline is running.
  void KeepStopKey(const DeadlineKey& key);

  // --- running -----------------------------------------------------------------------------------
  // Taken by a worker: ACTIVE from now on. And what it has been told to do before it could start.
  struct Started {
    Ref<AttemptState> attempt;
    StopReason stop = StopReason::kNone;
    std::chrono::nanoseconds queue_wait{0};
  };
  Started Start(Place place, SteadyTime now, const Clock& clock);

  // The attempt has ended so. An interrupted job is QUEUED again, and parked.
  struct Ended {
    AttemptOutcome outcome = AttemptOutcome::kSucceeded;
    SteadyTime at{};
    std::chrono::nanoseconds run_time{0};
    bool lost = false;  // given up
    bool parked = false;
    bool awaited = false;    // somebody waits for the outcome
    bool was_stuck = false;  // it was counted as stuck
    DeadlineKey stop_key;
  };
  // Makes the report's view the final one but for its job, still to be committed, unless the job is
  // lost or parked.
  Ended EndAttempt(Report& report, SteadyTime now, const Clock& clock);

  // A queued job that its caller has taken out of the pool ends by `event`: the final view but for
  // its job.
  std::optional<JobView> EndQueued(JobEvent event, JobFailure failure, SteadyTime now,
                                   WallTime wall);

  // Accepted, and its outcome is not known yet.
  bool IsLive() const;

  // --- stopping ----------------------------------------------------------------------------------
  // What became of a request to stop.
  struct Stopping {
    bool raised = false;  // this call changed the reason; false also if the job cannot be stopped
    bool first = false;   // it had not been told before
    Ref<AttemptState> attempt;  // to be told, with no lock held
  };
  // The job is ACTIVE, or has left the queue and is about to be: then it learns it in Start.
  Stopping RequestStop(StopReason reason);
  // What a QUEUED job has been told that will end it when a worker takes it.
  StopReason PendingStop() const;
  // Told to stop, and its handler runs on after its grace: true once.
  bool MarkStuck(const AttemptState* attempt);

  // Taken out of its pool by a shutdown: nobody will run it here. False if it has been told to
  // cancel meanwhile: then the caller has to end it.
  bool Park();
  // A parked job that its caller may end; it is not parked any more.
  bool Unpark();
  // Shutdown gives it up; false if it has ended or is not visible.
  bool GiveUp();
  // What one that was given up had come to.
  JobView Lost(SteadyTime now) const;

  // --- looking -----------------------------------------------------------------------------------
  bool Matches(const JobFilter& filter) const;
  // Nothing if it is not visible, or if its record lies in the store.
  std::optional<JobView> View(SteadyTime now, bool with_log) const;
  enum class Waiting : std::uint8_t {
    kAdded,
    kOver,    // the outcome has been told: look in the store
    kInVain,  // the job will not finish here
  };
  Waiting AddWaiter(Waiter& waiter);
  void RemoveWaiter(Ticket ticket);
  // The outcome is committed, or the job gone: who is to be told. From now on it is not visible.
  std::vector<Waiter> Close();
  // Those who wait now, while the job stays.
  std::vector<Waiter> TakeWaiters();

 private:
  enum class Phase : std::uint8_t {
    kPosting,     // not accepted yet
    kCommitting,  // accepted, its acceptance is being committed
    kLive,        // QUEUED or ACTIVE
    kEnding,      // its outcome is known and being committed
    kLost,        // given up by a shutdown
    kClosed,      // everybody has been told
  };
  // Texts that are not kept behind the object: what lies there first then is where they are.
  struct Texts {
    std::string payload;  // a large one: it is moved, not copied
    Metadata metadata;
  };
  // What few jobs have.
  struct Rare {
    std::optional<SteadyTime> stop_at;
    DeadlineKey stop_key;
    std::vector<Waiter> waiters;
  };

  JobEntry(JobOwner& owner, Ref<const Route> route, Work& work, std::unique_ptr<Texts> texts);
  ~JobEntry() override;
  void Destroy() const;
  static std::unique_ptr<Texts> TakeTexts(Work& work);
  // Null if there are none.
  const Texts* texts() const;
  // Where the small texts begin.
  const char* tail() const;

  Rare& rare() REQUIRES(mutex_);
  // All of the view but its job.
  void FillLocked(JobView& view, SteadyTime now) const REQUIRES(mutex_);
  JobView ViewLocked(SteadyTime now) const REQUIRES(mutex_);
  bool VisibleLocked() const REQUIRES(mutex_);

  const RefCount refs_;
  mutable SmallMutex mutex_;
  JobOwner& owner_;
  const Ref<const Route> route_;
  JobId id_ = 0;          // constant once accepted
  WallTime accepted_at_;  // the same
  const std::chrono::nanoseconds timeout_;
  const std::uint32_t payload_bytes_;  // of those behind the object
  const std::uint8_t content_type_bytes_;
  const std::uint8_t caller_bytes_;
  const bool has_texts_;

  Phase phase_ GUARDED_BY(mutex_) = Phase::kPosting;
  JobState state_ GUARDED_BY(mutex_) = JobState::kQueued;
  StopReason stop_ GUARDED_BY(mutex_) = StopReason::kNone;
  bool parked_ GUARDED_BY(mutex_) = false;
  bool stuck_ : 1 GUARDED_BY(mutex_) = false;
  bool interrupted_ : 1 GUARDED_BY(mutex_) = false;  // its attempt, by a shutdown
  std::uint32_t wait_index_ GUARDED_BY(mutex_) = 0;
  SteadyTime accepted_ GUARDED_BY(mutex_);
  Ref<AttemptState> attempt_ GUARDED_BY(mutex_);
  Ref<WaitGroup> wait_group_ GUARDED_BY(mutex_);
  std::unique_ptr<Rare> rare_ GUARDED_BY(mutex_);
};

}  // namespace workpool
