#include "jobs/deadline_queue.h"

#include <optional>

namespace workpool {

DeadlineKey DeadlineQueue::Add(SteadyTime when, Action action) {
  DeadlineKey key{when, 0};
  bool next = false;
  {
    MutexLock lock(mutex_);
    key.number = ++last_number_;
    const auto added = actions_.emplace(key, std::move(action)).first;
    next = added == actions_.begin();
  }
  if (next) alarm_.RingAt(when);
  return key;
}

void DeadlineQueue::Remove(const DeadlineKey& key) {
  if (key.number == 0) return;
  Action dropped;  // destroyed after the lock: it may own a job
  MutexLock lock(mutex_);
  const auto at = actions_.find(key);
  if (at == actions_.end()) return;
  dropped = std::move(at->second);
  actions_.erase(at);
}

std::vector<DeadlineQueue::Action> DeadlineQueue::TakeDue(SteadyTime now, std::size_t most) {
  std::vector<Action> due;
  std::optional<SteadyTime> next;
  {
    MutexLock lock(mutex_);
    while (!actions_.empty() && actions_.begin()->first.when <= now && due.size() < most) {
      due.push_back(std::move(actions_.begin()->second));
      actions_.erase(actions_.begin());
    }
    if (!actions_.empty()) next = actions_.begin()->first.when;
  }
  if (next) alarm_.RingAt(*next);
  return due;
}

}  // namespace workpool
