// A histogram of durations, 100 µs to 1 h. Recording is two relaxed additions; a reading taken
// meanwhile may miss what is being recorded, and is consistent in itself: its count is the sum of
// its buckets.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace workpool {

// Upper bounds, inclusive, in nanoseconds; one more bucket holds what is longer.
inline constexpr std::array<std::int64_t, 23> kBucketBounds = [] {
  constexpr std::int64_t kMicro = 1'000;
  constexpr std::int64_t kMilli = 1'000'000;
  constexpr std::int64_t kSecond = 1'000'000'000;
  return std::array<std::int64_t, 23>{
      100 * kMicro,  250 * kMicro,    500 * kMicro,  kMilli,         5 * kMilli / 2, 5 * kMilli,
      10 * kMilli,   25 * kMilli,     50 * kMilli,   100 * kMilli,   250 * kMilli,   500 * kMilli,
      kSecond,       5 * kSecond / 2, 5 * kSecond,   10 * kSecond,   30 * kSecond,   60 * kSecond,
      120 * kSecond, 300 * kSecond,   600 * kSecond, 1800 * kSecond, 3600 * kSecond};
}();
inline constexpr std::size_t kBuckets = kBucketBounds.size() + 1;

inline std::size_t BucketOf(std::int64_t nanoseconds) {
  const auto bound = std::lower_bound(kBucketBounds.begin(), kBucketBounds.end(), nanoseconds);
  return static_cast<std::size_t>(bound - kBucketBounds.begin());
}

// What was recorded, summed over shards.
struct HistogramTotals {
  std::array<std::uint64_t, kBuckets> buckets{};  // not cumulative
  std::uint64_t sum_ns = 0;
};

class HistogramShard {
 public:
  void Record(std::chrono::nanoseconds duration) {
    const std::int64_t ns = std::max<std::int64_t>(duration.count(), 0);
    buckets_[BucketOf(ns)].fetch_add(1, std::memory_order_relaxed);
    sum_ns_.fetch_add(static_cast<std::uint64_t>(ns), std::memory_order_relaxed);
  }

  void AddTo(HistogramTotals& totals) const {
    for (std::size_t i = 0; i < kBuckets; ++i) {
      totals.buckets[i] += buckets_[i].load(std::memory_order_relaxed);
    }
    totals.sum_ns += sum_ns_.load(std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<std::uint64_t>, kBuckets> buckets_{};
  std::atomic<std::uint64_t> sum_ns_{0};
};

}  // namespace workpool
