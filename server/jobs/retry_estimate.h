// Guesses when a full pool will have a place again, from how fast its jobs have finished lately.
// Thread safe without a lock: an estimate may miss a completion that happens at the same time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/clock.h"

namespace workpool {

class RetryEstimate {
 public:
  static constexpr std::chrono::milliseconds kShortest{10};
  static constexpr std::chrono::milliseconds kLongest{5000};

  void OnCompletion(SteadyTime now);

  // Between kShortest and kLongest, and up to half as much again as the guess, so that refused
  // posters do not all come back at once. Before the first completion: about a second.
  std::chrono::milliseconds RetryAfter(SteadyTime now);

 private:
  std::atomic<std::int64_t> last_ns_{0};  // of the last completion
  std::atomic<std::int64_t> mean_ns_{0};  // moving mean of the time between two
  std::atomic<std::uint64_t> draws_{0};
};

}  // namespace workpool
