// What the event loop's parts need of Asio, and the only place that knows it: a queue of tasks,
// descriptors to wait for, timers. Private to this folder.
//
// Threads: Post and Stop from any thread. Watches and timers belong to the loop: create, use and
// destroy them on its thread, or while it does not run, and destroy them before the Reactor. A
// destroyed watch or timer never calls back.
#pragma once

#include <functional>
#include <memory>

#include "base/clock.h"
#include "runtime/owned_fd.h"

namespace workpool {

class Reactor {
 public:
  Reactor();
  // Destroys the tasks that have not run.
  ~Reactor();

  // Runs tasks and callbacks until Stop. What they throw is logged, and the loop goes on.
  void Run();
  // Run returns soon, whatever is pending; there is no second Run.
  void Stop();
  void Post(std::move_only_function<void()> task);

 private:
  friend class FdWatch;
  friend class LoopTimer;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Owns a descriptor, and calls `on_ready` once for each wait that was asked for and came true.
class FdWatch {
 public:
  FdWatch(Reactor& reactor, OwnedFd fd, std::function<void()> on_ready);
  ~FdWatch();

  int fd() const;
  void WaitReadable();  // also true at the end of the file, or on an error
  void WaitWritable();  // also true when nobody reads any more

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class LoopTimer {
 public:
  LoopTimer(Reactor& reactor, std::function<void()> on_expiry);
  ~LoopTimer();

  // Replaces what was set before.
  void Set(SteadyTime when);
  void Cancel();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace workpool
