#include "app/watchdog.h"

#include <algorithm>
#include <utility>

namespace workpool {

Watchdog::Watchdog(std::function<void()> bark)
    : bark_(std::move(bark)), thread_([this] { Watch(); }) {}

Watchdog::~Watchdog() {
  {
    MutexLock lock(mutex_);
    off_ = true;
    changed_.NotifyAll();
  }
  thread_.join();
}

void Watchdog::Shorten(SteadyTime deadline) {
  MutexLock lock(mutex_);
  deadline_ = std::min(deadline_, deadline);
  changed_.NotifyAll();
}

void Watchdog::Watch() {
  {
    MutexLock lock(mutex_);
    while (!off_ && std::chrono::steady_clock::now() < deadline_) {
      changed_.WaitUntil(mutex_, deadline_);
    }
    if (off_) return;
  }
  bark_();
}

}  // namespace workpool
