// A progress bar on a terminal, nothing elsewhere.
#pragma once

#include <chrono>
#include <cstdint>

namespace workpool::cli {

class Progress {
 public:
  // Draws on stderr if that is a terminal and `wanted`.
  Progress(bool wanted, std::uint64_t total);

  // Draws at most ten times a second, and when all is done.
  void Show(std::uint64_t done, std::uint64_t accepted, std::uint64_t rejected);
  // Takes the bar away.
  void Clear();

 private:
  const bool drawn_;
  const std::uint64_t total_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_ = started_;
};

}  // namespace workpool::cli
