// Waits for a condition that no one announces.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace workpool {

// The bound on a hang.
inline constexpr std::chrono::seconds kHang{60};

// True as soon as `condition` holds; false if it does not within the bound.
inline bool Eventually(const std::function<bool()>& condition) {
  const auto bound = std::chrono::steady_clock::now() + kHang;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > bound) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

}  // namespace workpool
