// An alarm that rings nobody: it keeps the instant that was asked for. Thread safe.
#pragma once

#include <optional>

#include "base/mutex.h"
#include "jobs/alarm.h"

namespace workpool {

class ManualAlarm final : public Alarm {
 public:
  void RingAt(SteadyTime when) override {
    MutexLock lock(mutex_);
    if (!next_ || when < *next_) next_ = when;
  }
  std::optional<SteadyTime> next() const {
    MutexLock lock(mutex_);
    return next_;
  }
  // It has rung.
  void Clear() {
    MutexLock lock(mutex_);
    next_.reset();
  }

 private:
  mutable Mutex mutex_;
  std::optional<SteadyTime> next_ GUARDED_BY(mutex_);
};

}  // namespace workpool
