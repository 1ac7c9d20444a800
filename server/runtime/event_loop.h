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
  EventLoop();
  // Stop, then joins.
  ~EventLoop();

  // Starts the thread. Handlers set below are called on it and must not block for long.
  void Start();
  // Ends the thread; what is pending is dropped. Callable more than once, not from the loop.
  void Stop();

  // From any thread: runs `task` on the loop.
  void Post(std::move_only_function<void()> task);

  // Set before Start.
  void OnSignal(std::function<void(int signal)> handler);

  // An alarm that calls `ring` on the loop. Owned by the loop.
  Alarm& MakeAlarm(std::function<void()> ring);

  // Runs children; their callbacks come on the loop's thread.
  ChildRunner& children();
  // KILL to every process group that is still there; for the end of a shutdown.
  void KillChildren();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace workpool
