// A pool in the dispatcher: its task pool, its size, its counts, and who waits for it to be empty.
// Thread safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "jobs/pool_sizing.h"
#include "jobs/pool_tuning.h"
#include "jobs/retry_estimate.h"
#include "pool/task_pool.h"

namespace workpool {

// Callbacks told by whoever settles what they wait for; each exactly once, with no lock held.
using Told = std::move_only_function<void(Result<void>)>;

// What a pool has counted since the daemon's start.
struct PoolCounts {
  PoolStats stats;  // of these the counts alone
  std::uint64_t invalid_posts = 0;
  std::uint64_t finished = 0;
  std::uint64_t deleted = 0;
};

class PoolSlot : public std::enable_shared_from_this<PoolSlot> {
 public:
  PoolSlot(PoolConfig config, std::unique_ptr<TaskPool> tasks);

  const std::string& name() const { return name_; }
  TaskPool& tasks() { return *tasks_; }
  const TaskPool& tasks() const { return *tasks_; }
  PoolSizing& sizing() { return sizing_; }
  const PoolSizing& sizing() const { return sizing_; }
  RetryEstimate& retry() { return retry_; }
  PoolTuning& tuning() { return tuning_; }
  const PoolTuning& tuning() const { return tuning_; }

  // Puts the size that is in force into the task pool.
  void ApplySize();
  // A new config: see PoolSizing::Reconfigure.
  std::vector<std::string> Reconfigure(const PoolConfig& config);

  WhenFull when_full() const { return when_full_.load(std::memory_order_relaxed); }
  std::chrono::nanoseconds max_wait() const {
    return std::chrono::nanoseconds(max_wait_ns_.load(std::memory_order_relaxed));
  }

  // The group that the handler's jobs are to have here; it stays as long as the pool.
  LimitGroup& GroupOf(const std::string& handler);
  // Null if none was ever asked for: there can be no such jobs.
  LimitGroup* FindGroup(const std::string& handler);

  // No longer in the config.
  bool removed() const { return removed_.load(); }
  void SetRemoved(bool removed) { removed_.store(removed); }

  // --- counts ------------------------------------------------------------------------------------
  // A pool of this name that is gone counted so much: this one goes on from there. Before its first
  // post.
  void ContinueFrom(const PoolCounts& counts);
  PoolCounts Counts() const;
  // The task pool's reading; the counts include those of the pool before.
  PoolStats Read() const;

  std::atomic<std::uint64_t> invalid_posts{0};
  std::atomic<std::uint64_t> finished{0};
  std::atomic<std::uint64_t> deleted{0};
  std::atomic<std::uint64_t> stuck{0};

  // --- emptiness ---------------------------------------------------------------------------------
  // Accepted jobs whose end has not been told to everybody yet; parked and lost ones are settled.
  void Open(std::uint64_t jobs) { unsettled_.fetch_add(jobs); }
  void Settle(std::uint64_t jobs);
  bool settled() const { return unsettled_.load() == 0; }

  // Calls `idle` when nothing is queued, active or unsettled. Only of use while the pool takes no
  // posts.
  void WhenEmpty(std::move_only_function<void()> idle);

  // A drain: `told` hears of the end, or of what ended the drain before that.
  void AwaitDrain(Told told);
  void EndDrains(const Result<void>& result);

 private:
  // Puts the config's size in force, and the tuner's where that decides.
  void Tune(const PoolConfig& config);
  void WhenSettled(std::move_only_function<void()> settled);

  const std::string name_;
  Mutex mutex_;
  std::map<std::string, std::unique_ptr<LimitGroup>> groups_ GUARDED_BY(mutex_);  // by handler
  const std::unique_ptr<TaskPool> tasks_;  // refers to the groups
  PoolSizing sizing_;
  RetryEstimate retry_;
  PoolTuning tuning_;
  std::atomic<WhenFull> when_full_;
  std::atomic<std::int64_t> max_wait_ns_;
  std::atomic<bool> removed_{false};
  std::atomic<std::uint64_t> unsettled_{0};
  PoolStats counted_before_;

  std::vector<std::move_only_function<void()>> when_settled_ GUARDED_BY(mutex_);
  std::vector<Told> drains_ GUARDED_BY(mutex_);
};

}  // namespace workpool
