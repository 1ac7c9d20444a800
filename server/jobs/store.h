// The store port: where accepted and finished jobs are recorded. Adapters: stores/memory; later
// disk and PostgreSQL. tests/conformance proves each adapter against this contract.
//
// What a store commits without waiting it can say so, which spares the dispatcher what a commit
// that comes later takes.
//
// Thread safe. Accept and Finish never block on I/O: they answer through `committed`, at once or
// later, on any thread, exactly once, in the order of the calls. The dispatcher starts no job
// before its Accept is committed and tells nobody an outcome before its Finish is.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "jobs/job_view.h"

namespace workpool {

// Bounds on the finished jobs of one pool. The oldest go first.
struct Retention {
  std::chrono::nanoseconds age{0};
  std::uint64_t jobs = 0;
  std::uint64_t bytes = 0;
};

struct PoolRetention {
  Retention finished{std::chrono::minutes(15), 100'000, std::uint64_t{64} << 20};
  Retention dead{std::chrono::hours(24 * 30), 10'000, std::uint64_t{256} << 20};
};

// All that is set must match.
struct JobFilter {
  std::string pool;
  std::string handler;
  std::vector<JobState> states;  // any of these; empty: every state
  std::optional<WallTime> accepted_after;
  std::optional<WallTime> accepted_before;

  bool Empty() const;
  bool Matches(const Job& job, JobState state) const;
  bool Matches(const JobView& view) const;
};

class Store {
 public:
  using Committed = std::move_only_function<void(Result<void>)>;

  virtual ~Store() = default;

  virtual std::string_view kind() const = 0;  // "memory"

  // Ids that no earlier job of this store has had, in increasing order: the first of `count`
  // consecutive ones.
  virtual JobId TakeIds(std::uint64_t count) = 0;
  // The highest id handed out so far; 0 before the first.
  virtual JobId LastId() const = 0;

  // False: every acceptance counts as committed, and Accept need not be called. Constant.
  virtual bool KeepsAccepted() const { return true; }

  // What the jobs' texts point to stays good until `committed` has been called; `jobs` does not.
  virtual void Accept(std::span<const Job> jobs, Committed committed) = 0;

  // Records a finished job and keeps it within its pool's retention.
  virtual void Finish(std::shared_ptr<const JobView> view, Committed committed) = 0;
  // As Finish at `now`, and committed when it returns. False, and nothing is recorded, if that
  // would take waiting. What `view` refers to is good only for the time of the call.
  virtual bool FinishAtOnce(const JobView& /*view*/, SteadyTime /*now*/) { return false; }

  // Forgets jobs that have not finished (purge).
  virtual void Forget(std::span<const JobId> ids, Committed committed) = 0;

  // Finished jobs only.
  virtual std::shared_ptr<const JobView> Find(JobId id) const = 0;

  // Finished jobs that match, by descending id, with ids below `before` (0: from the newest); at
  // most `limit`.
  virtual std::vector<std::shared_ptr<const JobView>> List(const JobFilter& filter, JobId before,
                                                           std::size_t limit) const = 0;

  // Retention of a pool from now on.
  virtual void SetRetention(const std::string& pool, const PoolRetention& retention) = 0;

  // Drops what is too old; answers when it wants to be called again, if at all.
  virtual std::optional<SteadyTime> Tick(SteadyTime now) = 0;

  // Per pool: DEAD jobs kept now, and DEAD jobs dropped before their age because of the other
  // bounds.
  struct DeadCounts {
    std::uint64_t kept = 0;
    std::uint64_t dropped = 0;
  };
  virtual DeadCounts Dead(const std::string& pool) const = 0;
};

}  // namespace workpool
