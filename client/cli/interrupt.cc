#include "interrupt.h"

#include <cerrno>
#include <cstdlib>

namespace workpool::cli {

namespace {

constexpr timespec kLookAgain{.tv_sec = 0, .tv_nsec = 50'000'000};

bool Ignored(int signal) {
  struct sigaction now{};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

[[noreturn]] void DieBy(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  std::raise(signal);
  std::_Exit(128 + signal);
}

}  // namespace

Interrupt::Interrupt() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  if (!Ignored(SIGHUP)) sigaddset(&signals_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  waiter_ = std::jthread([this](const std::stop_token& over) { Wait(over); });
}

Interrupt::~Interrupt() {
  waiter_ = {};
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
}

void Interrupt::Wait(const std::stop_token& over) {
  while (!over.stop_requested()) {
    const int signal = sigtimedwait(&signals_, nullptr, &kLookAgain);
    if (signal < 0) continue;
    if (signal_ != 0) DieBy(signal);
    signal_ = signal;
    source_.request_stop();
  }
}

void Interrupt::Leave() {
  waiter_ = {};
  DieBy(signal_);
}

}  // namespace workpool::cli
