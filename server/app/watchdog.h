// Calls a function when a deadline passes: the last resort of a shutdown in which something hangs.
#pragma once

#include <functional>
#include <thread>

#include "base/clock.h"
#include "base/mutex.h"

namespace workpool {

// Thread safe. A thread of its own, so that nothing that hangs can hold it up; it exists from the
// start, because later the system may have none to give.
class Watchdog {
 public:
  // There is no deadline at first.
  explicit Watchdog(std::function<void()> bark);
  ~Watchdog();  // calls it off

  // Only sooner.
  void Shorten(SteadyTime deadline) EXCLUDES(mutex_);

 private:
  void Watch() EXCLUDES(mutex_);

  const std::function<void()> bark_;
  Mutex mutex_;
  CondVar changed_;
  SteadyTime deadline_ GUARDED_BY(mutex_) = SteadyTime::max();
  bool off_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace workpool
