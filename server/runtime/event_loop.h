// The one Asio loop of the daemon, on a thread of its own: timers, signals, child processes. No
// Asio type shows here.
//
// Signals: the constructor blocks SIGTERM, SIGINT, SIGHUP and SIGCHLD in the calling thread and
// ignores SIGPIPE, so construct it before any other thread starts; children get a clean mask.
#pragma once

#include <functional>
#include <memory>

#include "base/clock.h"
#include "jobs/alarm.h"
#include "jobs/child_process.h"

namespace workpool {

class EventLoop {
 public:
  // As process 1, which a container's first program is, it also reaps orphans.
  EventLoop();
  // With `reap_orphans` it reaps every ended child of this process, also those that it has not
  // started; code that starts processes of its own and waits for them must not be in it then.
  explicit EventLoop(bool reap_orphans);
  // Stop, then joins.
  ~EventLoop();

  // Starts the thread. Handlers set below are called on it and must not block for long.
  void Start();
  // Ends the thread; what is pending is dropped, and children that are left are killed and reaped.
  // Callable more than once, not from the loop.
  void Stop();

  // From any thread: runs `task` on the loop.
  void Post(std::move_only_function<void()> task);

  // Set before Start. SIGTERM, SIGINT and SIGHUP.
  void OnSignal(std::function<void(int signal)> handler);

  // An alarm that calls `ring` on the loop. Owned by the loop. From any thread.
  Alarm& MakeAlarm(std::function<void()> ring);

  // Runs children; their callbacks come on the loop's thread.
  ChildRunner& children();
  // KILL to every process group that is still there, and no child starts from now on; for the end
  // of a shutdown. From any thread, whatever the loop is doing.
  void KillChildren();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace workpool
