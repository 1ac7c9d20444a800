// SIGTERM, SIGINT, SIGHUP and SIGCHLD as callbacks on the event loop.
//
// Signals are taken from a signalfd, so that they stay blocked in every thread and no handler ever
// interrupts one.
#pragma once

#include <functional>

#include "runtime/reactor.h"

namespace workpool {

// Blocks the signals in the calling thread, and so in those it starts from now on, and ignores
// SIGPIPE and, unless somebody else handles them, those that ask a daemon for nothing but would end
// it (SIGUSR1, timers, real-time signals). Aborts if the system refuses, which it does not.
class SignalSource {
 public:
  SignalSource(Reactor& reactor, std::function<void(int signal)> on_signal);

 private:
  void OnReadable();

  const std::function<void(int)> on_signal_;
  FdWatch watch_;
};

}  // namespace workpool
