// Counts durations in buckets whose width is under 2 % of their value.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace workpool::cli {

class Histogram {
 public:
  Histogram();

  void Add(std::chrono::nanoseconds duration, std::uint64_t times = 1);
  void Merge(const Histogram& other);
  std::uint64_t count() const { return count_; }

  // The duration that `share` (0 to 1) of those counted do not exceed; 0 if none was counted.
  std::chrono::nanoseconds Quantile(double share) const;

 private:
  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
};

}  // namespace workpool::cli
