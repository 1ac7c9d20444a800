// How many lines of one kind may be written: so many in an interval, the others are counted. Thread
// safe.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"
#include "base/mutex.h"

namespace workpool {

class LineCap {
 public:
  LineCap(std::uint64_t most, std::chrono::nanoseconds interval)
      : most_(most), interval_(interval) {}

  // Whether one more line may be written now. An interval begins with the first line after the one
  // before.
  bool Count(SteadyTime now);

  // How many were left out in intervals that are over, since the last time that this was asked.
  std::uint64_t TakeLeftOut(SteadyTime now);

 private:
  const std::uint64_t most_;
  const std::chrono::nanoseconds interval_;

  Mutex mutex_;
  SteadyTime ends_ GUARDED_BY(mutex_){};
  std::uint64_t lines_ GUARDED_BY(mutex_) = 0;     // of the interval, written or not
  std::uint64_t left_out_ GUARDED_BY(mutex_) = 0;  // of intervals before it
};

}  // namespace workpool
