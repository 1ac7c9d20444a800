// The clock port. Elapsed times and deadlines use the monotonic clock; instants that a user sees or
// sets use the wall clock. Everything that can be simulated takes a Clock instead of asking the
// system.
#pragma once

#include <chrono>

namespace workpool {

using SteadyTime = std::chrono::steady_clock::time_point;
using WallTime = std::chrono::system_clock::time_point;

// Thread safe; never blocks.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual SteadyTime Now() const = 0;
  virtual WallTime WallNow() const = 0;
};

// The wall clock's instant so long after another. What is that close need not ask the clock, which
// costs something and may have been set meanwhile.
inline WallTime Later(WallTime then, std::chrono::nanoseconds elapsed, const Clock& clock) {
  if (elapsed > std::chrono::seconds(1)) return clock.WallNow();
  return then + std::chrono::duration_cast<WallTime::duration>(elapsed);
}

// The machine's clocks.
class SystemClock final : public Clock {
 public:
  SteadyTime Now() const override { return std::chrono::steady_clock::now(); }
  WallTime WallNow() const override { return std::chrono::system_clock::now(); }
};

}  // namespace workpool
