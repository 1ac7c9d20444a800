#include "runtime/signal_source.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <utility>

#include "base/check.h"

namespace workpool {
namespace {

// A profiler or an embedding program may have set a handler before: that stays.
void IgnoreUnlessHandled(int signal) {
  struct sigaction action = {};
  if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  action.sa_handler = SIG_IGN;
  ::sigaction(signal, &action, nullptr);
}

// What by default ends a process, though it tells of no fault in it. A file at its size limit gives
// an error to who writes it.
void IgnoreHarmless() {
  for (const int signal :
       {SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT, SIGXFSZ}) {
    IgnoreUnlessHandled(signal);
  }
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) IgnoreUnlessHandled(signal);
}

OwnedFd BlockSignals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) ::sigaddset(&signals, signal);
  WORKPOOL_CHECK(::pthread_sigmask(SIG_BLOCK, &signals, nullptr) == 0);
  std::signal(SIGPIPE, SIG_IGN);
  IgnoreHarmless();
  // A parent that ignored SIGCHLD has handed that down, and then no exit status would be kept.
  std::signal(SIGCHLD, SIG_DFL);
  OwnedFd fd(::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC));
  WORKPOOL_CHECK(fd);
  return fd;
}

}  // namespace

SignalSource::SignalSource(Reactor& reactor, std::function<void(int)> on_signal)
    : on_signal_(std::move(on_signal)), watch_(reactor, BlockSignals(), [this] { OnReadable(); }) {
  watch_.WaitReadable();
}

void SignalSource::OnReadable() {
  watch_.WaitReadable();
  signalfd_siginfo info{};
  while (::read(watch_.fd(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    on_signal_(static_cast<int>(info.ssi_signo));
  }
}

}  // namespace workpool
