// The dispatcher: checks posts, admits them to pools, runs handlers, keeps every job's state, and
// answers questions about jobs. All transports and the embedding API call this and hold no logic of
// their own.
//
// Thread safe. No call blocks on a handler or on the store; what takes time answers through a
// callback, exactly once, possibly before the call returns, on any thread, with no lock held.
// Callbacks must not block.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "jobs/cancel_report.h"
#include "jobs/config.h"
#include "jobs/job_view.h"
#include "jobs/lost_jobs.h"
#include "jobs/pool_sizing.h"
#include "jobs/pool_view.h"
#include "jobs/ports.h"
#include "jobs/post_request.h"
#include "jobs/store.h"

namespace workpool {

class Dispatcher {
 public:
  // The ports must outlive it. The config must be valid (app checks it).
  Dispatcher(DispatcherPorts ports, const DispatcherConfig& config);
  // Call Shutdown first; see there.
  ~Dispatcher();

  // --- posting -----------------------------------------------------------------------------------
  Ticket Post(PostRequest request, PostDone done);
  // Offers the items in order; each answers for itself, with its index in the batch (see
  // BatchDone).
  using BatchDone = workpool::BatchDone;
  std::vector<Ticket> PostBatch(std::vector<PostRequest> requests, BatchDone done);
  // A post that still waits for room ends with kCancelled.
  void Abandon(Ticket ticket);

  // --- following ---------------------------------------------------------------------------------
  // kUnknownJob for an id never issued, kJobForgotten for one no longer kept.
  Result<JobView> Get(JobId id) const;
  Ticket Wait(JobId id, FinishedDone done);
  void CancelWait(Ticket ticket);  // `done` is dropped without a call

  using ListPage = JobPage;
  // Newest first, ids below `before` (0: from the newest).
  ListPage List(const JobFilter& filter, JobId before, std::size_t limit) const;

  // --- cancelling --------------------------------------------------------------------------------
  // Jobs that have finished are left alone. By filter: all that are accepted when the call begins.
  using CancelReport = workpool::CancelReport;
  CancelReport Cancel(std::span<const JobId> ids);
  CancelReport CancelMatching(const JobFilter& filter);

  // --- pools -------------------------------------------------------------------------------------
  std::vector<PoolView> Pools() const;
  Result<PoolView> Pool(const std::string& name) const;
  Result<PoolView> Resize(const std::string& name, const ResizeRequest& request);
  Result<PoolView> Pause(const std::string& name);
  Result<PoolView> Resume(const std::string& name);
  // `drained` is told when nothing is queued or active (or kShuttingDown).
  Result<void> Drain(const std::string& name, std::move_only_function<void(Result<void>)> drained);
  Result<std::uint64_t> Purge(const std::string& name);
  std::unique_ptr<PoolWatch> Watch();
  std::vector<HandlerConfig> Handlers() const;
  // Posts to no known pool, for the metric's pool="unknown".
  std::uint64_t unknown_pool_posts() const;

  // Puts a new config in force: one line for each change. Jobs already accepted keep the definition
  // of their handler. A pool that is no longer named refuses posts and disappears when its jobs
  // have.
  std::vector<std::string> Reconfigure(const DispatcherConfig& config);

  // --- time --------------------------------------------------------------------------------------
  // Does what is due: ends waits for room, stops attempts whose timeout has passed, reverts
  // resizes, drops old records. Sets the alarm for the next time.
  void Tick();

  // --- shutdown ----------------------------------------------------------------------------------
  // Step 1: posts and waits for room are refused (kDraining). With `run_queued` the queue runs on,
  // else no queued job starts. `idle` is told when nothing can run any more.
  void StopAccepting(bool run_queued, std::move_only_function<void()> idle);
  // Step 2: queued jobs start no more; handlers are told to stop (`kill_grace` replaces theirs).
  void StopHandlers(std::chrono::nanoseconds kill_grace);
  // Step 3: what is unfinished now is lost (memory store): how many, and the first `show` by id.
  // Their waits end with kShuttingDown; results that come later are ignored.
  LostJobs GiveUp(std::size_t show);
  // Step 4: waits for the pools' threads; false when `deadline` came first, and then the dispatcher
  // must not be destroyed: the process has to exit without.
  bool JoinPools(SteadyTime deadline);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace workpool
