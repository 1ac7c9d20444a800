// A clock that moves only when told. Thread safe.
#pragma once

#include <atomic>
#include <chrono>

#include "base/clock.h"

namespace workpool {

class ManualClock final : public Clock {
 public:
  SteadyTime Now() const override {
    return SteadyTime(std::chrono::nanoseconds(steady_ns_.load()));
  }
  WallTime WallNow() const override {
    return WallTime(
        std::chrono::duration_cast<WallTime::duration>(std::chrono::nanoseconds(wall_ns_.load())));
  }
  // Both clocks, as when time passes.
  void Advance(std::chrono::nanoseconds by) {
    steady_ns_ += by.count();
    wall_ns_ += by.count();
  }
  // The wall clock alone, as when somebody sets it.
  void StepWall(std::chrono::nanoseconds by) { wall_ns_ += by.count(); }

 private:
  std::atomic<std::int64_t> steady_ns_{1'000'000'000};
  std::atomic<std::int64_t> wall_ns_{1'700'000'000'000'000'000};
};

}  // namespace workpool
