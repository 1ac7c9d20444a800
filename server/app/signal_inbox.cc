#include "app/signal_inbox.h"

#include <csignal>

namespace workpool {

int SignalInbox::Push(int signal) {
  MutexLock lock(mutex_);
  if (signal == SIGHUP) {
    reload_ = true;
  } else {
    ++stops_;
  }
  changed_.NotifyAll();
  return stops_;
}

SignalInbox::Event SignalInbox::Next() {
  MutexLock lock(mutex_);
  while (stops_ == 0 && !reload_) changed_.Wait(mutex_);
  if (stops_ > 0) return Event::kStop;
  reload_ = false;
  return Event::kReload;
}

void SignalInbox::NoteIdle() {
  MutexLock lock(mutex_);
  idle_ = true;
  changed_.NotifyAll();
}

bool SignalInbox::WaitIdle(SteadyTime deadline, int stops) {
  MutexLock lock(mutex_);
  while (!idle_ && stops_ < stops) {
    if (!changed_.WaitUntil(mutex_, deadline)) break;
  }
  return idle_;
}

}  // namespace workpool
