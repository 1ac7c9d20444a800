#include "jobs/pool_slot.h"

#include <utility>

namespace workpool {

PoolSlot::PoolSlot(PoolConfig config, std::unique_ptr<TaskPool> tasks)
    : name_(config.name),
      tasks_(std::move(tasks)),
      sizing_(config),
      when_full_(config.when_full),
      max_wait_ns_(config.max_wait.count()) {
  Tune(config);
}

void PoolSlot::Tune(const PoolConfig& config) {
  if (const auto workers = tuning_.Configure(config)) sizing_.SetTuned(*workers);
  ApplySize();
}

void PoolSlot::ApplySize() {
  // Two changes at once may reach the pool in either order; whoever finds that the size has changed
  // again meanwhile applies it again, so that the latest one stays.
  PoolSizing::InForce applied = sizing_.Current();
  for (;;) {
    tasks_->Resize(applied.limits);
    tasks_->KeepThreads(applied.least_threads, applied.idle);
    const PoolSizing::InForce latest = sizing_.Current();
    if (latest.version == applied.version) return;
    applied = latest;
  }
}

std::vector<std::string> PoolSlot::Reconfigure(const PoolConfig& config) {
  std::vector<std::string> lines = sizing_.Reconfigure(config);
  when_full_.store(config.when_full);
  max_wait_ns_.store(config.max_wait.count());
  Tune(config);
  return lines;
}

LimitGroup& PoolSlot::GroupOf(const std::string& handler) {
  const MutexLock lock(mutex_);
  std::unique_ptr<LimitGroup>& group = groups_[handler];
  if (group == nullptr) group = std::make_unique<LimitGroup>();
  return *group;
}

LimitGroup* PoolSlot::FindGroup(const std::string& handler) {
  const MutexLock lock(mutex_);
  const auto at = groups_.find(handler);
  return at == groups_.end() ? nullptr : at->second.get();
}

void PoolSlot::ContinueFrom(const PoolCounts& counts) {
  counted_before_ = counts.stats;
  invalid_posts = counts.invalid_posts;
  finished = counts.finished;
  deleted = counts.deleted;
}

PoolCounts PoolSlot::Counts() const { return {Read(), invalid_posts, finished, deleted}; }

PoolStats PoolSlot::Read() const {
  PoolStats stats = tasks_->Read();
  stats.accepted += counted_before_.accepted;
  stats.finished += counted_before_.finished;
  stats.withdrawn += counted_before_.withdrawn;
  for (std::size_t i = 0; i < stats.refused.size(); ++i) {
    stats.refused[i] += counted_before_.refused[i];
  }
  return stats;
}

void PoolSlot::Settle(std::uint64_t jobs) {
  if (jobs == 0 || unsettled_.fetch_sub(jobs) != jobs) return;
  std::vector<std::move_only_function<void()>> told;
  {
    MutexLock lock(mutex_);
    told.swap(when_settled_);
  }
  for (auto& settled : told) WhenSettled(std::move(settled));
}

void PoolSlot::WhenSettled(std::move_only_function<void()> settled) {
  {
    // Settle empties the list after the count has become 0, so one that finds the count above 0
    // under the lock will be seen by it.
    MutexLock lock(mutex_);
    if (unsettled_.load() != 0) {
      when_settled_.push_back(std::move(settled));
      return;
    }
  }
  settled();
}

void PoolSlot::WhenEmpty(std::move_only_function<void()> idle) {
  tasks_->WhenIdle([self = weak_from_this(), idle = std::move(idle)]() mutable {
    if (const auto slot = self.lock()) slot->WhenSettled(std::move(idle));
  });
}

void PoolSlot::AwaitDrain(Told told) {
  {
    MutexLock lock(mutex_);
    drains_.push_back(std::move(told));
  }
  WhenEmpty([self = weak_from_this()] {
    if (const auto slot = self.lock()) slot->EndDrains({});
  });
}

void PoolSlot::EndDrains(const Result<void>& result) {
  std::vector<Told> told;
  {
    MutexLock lock(mutex_);
    told.swap(drains_);
  }
  for (Told& drained : told) drained(result);
}

}  // namespace workpool
