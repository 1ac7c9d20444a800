#include "runtime/child_table.h"

#include <csignal>

#include "runtime/process_group.h"

namespace workpool {

ChildTable::Spawning::Spawning(ChildTable& table) : table_(table) {
  MutexLock lock(table_.mutex_);
  ++table_.spawning_;
}

ChildTable::Spawning::~Spawning() {
  MutexLock lock(table_.mutex_);
  --table_.spawning_;
}

bool ChildTable::Add(pid_t leader) {
  MutexLock lock(mutex_);
  if (closed_) return false;
  leaders_.insert(leader);
  return true;
}

void ChildTable::Remove(pid_t leader) {
  MutexLock lock(mutex_);
  leaders_.erase(leader);
}

void ChildTable::KillAll() {
  // Signals are sent under the lock: a leader that has been removed may be anybody's number.
  MutexLock lock(mutex_);
  closed_ = true;
  for (const pid_t leader : leaders_) SignalGroup(leader, SIGKILL);
}

bool ChildTable::closed() const {
  MutexLock lock(mutex_);
  return closed_;
}

bool ChildTable::MayBeOurs(pid_t pid) const {
  MutexLock lock(mutex_);
  return spawning_ > 0 || leaders_.contains(pid);
}

}  // namespace workpool
