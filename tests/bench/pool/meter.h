// What a run took: time and processor time since it was made.
#pragma once

#include <chrono>

#include "process_status.h"

namespace workpool::bench {

class Meter {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  double cpu_seconds() const { return OwnCpuSeconds() - cpu_; }
  double nanoseconds_each(std::int64_t jobs) const {
    return seconds() * 1e9 / static_cast<double>(jobs);
  }

 private:
  using Clock = std::chrono::steady_clock;
  double cpu_ = OwnCpuSeconds();
  Clock::time_point start_ = Clock::now();
};

}  // namespace workpool::bench
