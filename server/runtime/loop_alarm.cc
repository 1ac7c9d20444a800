#include "runtime/loop_alarm.h"

#include <utility>

namespace workpool {

LoopAlarm::LoopAlarm(Reactor& reactor, std::function<void()> ring)
    : reactor_(reactor), ring_(std::move(ring)), timer_(reactor, [this] { OnExpiry(); }) {}

void LoopAlarm::RingAt(SteadyTime when) {
  {
    MutexLock lock(mutex_);
    if (pending_ && *pending_ <= when) return;
    pending_ = when;
  }
  reactor_.Post([this] { SetTimer(); });
}

void LoopAlarm::SetTimer() {
  std::optional<SteadyTime> when;
  {
    MutexLock lock(mutex_);
    when = pending_;
  }
  if (when) timer_.Set(*when);
}

void LoopAlarm::OnExpiry() {
  {
    MutexLock lock(mutex_);
    // An instant set meanwhile has its own SetTimer on the way, which finds the timer expired.
    if (!pending_ || *pending_ > std::chrono::steady_clock::now()) return;
    pending_.reset();
  }
  ring_();
}

}  // namespace workpool
