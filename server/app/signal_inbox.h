// What the daemon's main thread waits for: requests to stop and to reload, and, during a shutdown,
// that the work is done.
#pragma once

#include "base/clock.h"
#include "base/mutex.h"

namespace workpool {

// Thread safe. Only Next and the Wait functions block.
class SignalInbox {
 public:
  // SIGTERM and SIGINT ask to stop, each time they come; SIGHUP asks to reload. How many requests
  // to stop there have been.
  int Push(int signal) EXCLUDES(mutex_);

  enum class Event { kStop, kReload };
  // Waits for the next thing to do. Reloads that gather meanwhile are one; a stop goes first.
  Event Next() EXCLUDES(mutex_);

  // The queue has run dry and no handler runs. Once is enough.
  void NoteIdle() EXCLUDES(mutex_);

  // Waits until NoteIdle, or `deadline`, or until there have been `stops` requests to stop. True
  // if idle.
  bool WaitIdle(SteadyTime deadline, int stops) EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  CondVar changed_;
  int stops_ GUARDED_BY(mutex_) = 0;
  bool reload_ GUARDED_BY(mutex_) = false;
  bool idle_ GUARDED_BY(mutex_) = false;
};

}  // namespace workpool
