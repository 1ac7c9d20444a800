// The alarm port on the event loop. RingAt from any thread; `ring` is called on the loop.
#pragma once

#include <functional>
#include <optional>

#include "base/mutex.h"
#include "jobs/alarm.h"
#include "runtime/reactor.h"

namespace workpool {

class LoopAlarm final : public Alarm {
 public:
  LoopAlarm(Reactor& reactor, std::function<void()> ring);

  void RingAt(SteadyTime when) override;

 private:
  void SetTimer();
  void OnExpiry();

  Reactor& reactor_;
  const std::function<void()> ring_;
  LoopTimer timer_;  // of the loop's thread

  Mutex mutex_;
  std::optional<SteadyTime> pending_ GUARDED_BY(mutex_);
};

}  // namespace workpool
