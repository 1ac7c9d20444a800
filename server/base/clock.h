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

// The machine's clocks.
class SystemClock final : public Clock {
 public:
  SteadyTime Now() const override { return std::chrono::steady_clock::now(); }
  WallTime WallNow() const override { return std::chrono::system_clock::now(); }
};

}  // namespace workpool
