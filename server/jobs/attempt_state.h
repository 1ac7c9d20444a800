// What changes while a job runs: the stop token, progress, the log, and who hands back its place.
// Shared by the job's entry, the handler's Attempt and the deadlines. Thread safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/block_cache.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/ref.h"
#include "jobs/deadline_queue.h"
#include "jobs/job_view.h"
#include "pool/task_pool.h"

namespace workpool {

class AttemptState : public RefCounted<AttemptState> {
 public:
  AttemptState(Place place, int number, SteadyTime started, WallTime started_wall,
               std::optional<SteadyTime> deadline, std::chrono::nanoseconds kill_grace);

  Place place() const { return place_; }
  int number() const { return number_; }
  SteadyTime started() const { return started_; }
  WallTime started_wall() const { return started_wall_; }
  std::optional<SteadyTime> deadline() const { return deadline_; }

  // True if `timeout` ends it, and not an earlier deadline of its caller.
  bool EndsBy(std::chrono::nanoseconds timeout) const {
    return timeout.count() > 0 && deadline_ == started_ + timeout;
  }

  std::chrono::nanoseconds kill_grace() const;
  std::stop_token stop_token();
  // Tells the handler to stop; `kill_grace` may shorten what it has been given. Runs the handler's
  // stop callbacks.
  void RequestStop(std::optional<std::chrono::nanoseconds> kill_grace);

  void ReportProgress(double share, std::string_view note);
  void AppendLog(std::string_view bytes);
  // For a view of the job while it runs: progress always, the log if it is asked for.
  void CopyProgress(JobView& view) const;
  std::string CopyLog() const;
  // For the view of its end.
  void MoveReportsTo(JobView& view);

  // True for the first caller only: the one whose outcome counts.
  bool ClaimOutcome() { return !claimed_.exchange(true); }
  // Its outcome has been claimed.
  bool ended() const { return claimed_.load(); }

  // The key of the timeout that is running, so that it can be dropped. Set before the handler runs.
  DeadlineKey timeout_key;

  // One is made for each run.
  static void* operator new(std::size_t bytes) { return AllocateBlock(bytes); }
  static void operator delete(void* block, std::size_t bytes) { FreeBlock(block, bytes); }

  // --- the place ---------------------------------------------------------------------------------
  // The attempt has ended: hands the place back to `pool` if it has to happen now, else leaves that
  // to the worker, which is about to return. `at_once`: do not leave it to the worker.
  void HandBack(TaskPool& pool, bool at_once);
  // The handler's Run has returned: what the worker answers to its pool.
  RunStatus Returned();

 private:
  enum class Hand : std::uint8_t {
    kOnWorker,  // the handler's Run has not returned, the attempt has not ended
    kAway,      // Run has returned, the attempt goes on elsewhere
    kEnded,     // the attempt has ended, the worker will hand the place back
    kGivenBack,
  };

  const Place place_;
  const int number_;
  const SteadyTime started_;
  const WallTime started_wall_;
  const std::optional<SteadyTime> deadline_;
  std::atomic<std::int64_t> kill_grace_ns_;
  std::atomic<bool> claimed_{false};
  std::atomic<Hand> hand_{Hand::kOnWorker};
  std::atomic<bool> reported_{false};  // progress or log: most jobs report nothing

  mutable Mutex mutex_;
  // Made only when somebody asks: most jobs never look.
  std::optional<std::stop_source> stop_ GUARDED_BY(mutex_);
  std::optional<double> progress_ GUARDED_BY(mutex_);
  std::string progress_note_ GUARDED_BY(mutex_);
  std::string log_ GUARDED_BY(mutex_);
  bool log_truncated_ GUARDED_BY(mutex_) = false;
};

}  // namespace workpool
