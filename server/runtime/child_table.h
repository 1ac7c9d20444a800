// Which children are ours: the leaders of process groups that we started and have not reaped yet.
// While a leader is not reaped, the system gives its number to nobody else, so what is in the table
// may be signalled. Thread safe; never blocks.
#pragma once

#include <sys/types.h>

#include <set>

#include "base/mutex.h"

namespace workpool {

class ChildTable {
 public:
  // Hold one from before a process is made until it is in the table (or reaped again).
  class Spawning {
   public:
    explicit Spawning(ChildTable& table);
    ~Spawning();
    Spawning(const Spawning&) = delete;
    Spawning& operator=(const Spawning&) = delete;

   private:
    ChildTable& table_;
  };

  // False, and not added, once KillAll has been called.
  bool Add(pid_t leader);
  // Call it right before the leader is reaped.
  void Remove(pid_t leader);

  // KILL to every group, and no more children from now on.
  void KillAll();
  bool closed() const;

  // False only if `pid`, a child that has ended, was certainly not started by us.
  bool MayBeOurs(pid_t pid) const;

 private:
  mutable Mutex mutex_;
  std::set<pid_t> leaders_ GUARDED_BY(mutex_);
  int spawning_ GUARDED_BY(mutex_) = 0;
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace workpool
