// How fast a count grows.
#pragma once

#include <chrono>
#include <thread>

namespace workpool::bench {

// Waits a quarter of `seconds` to warm up, then answers by how much `count()` grows a second, over
// `seconds`. Blocks for both.
template <typename Count>
double Rate(double seconds, const Count& count) {
  using Clock = std::chrono::steady_clock;
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds / 4));
  const auto start = Clock::now();
  const auto before = count();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const auto after = count();
  return static_cast<double>(after - before) /
         std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace workpool::bench
