// A histogram of durations, 100 µs to 1 h. A reading taken while something is recorded may miss it,
// and is consistent in itself: its count is the sum of its buckets.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "metrics/count.h"

namespace workpool::metrics {

// Upper bounds, inclusive, in nanoseconds; one more bucket holds what is longer.
inline constexpr std::array<std::uint64_t, 23> kBucketBounds = [] {
  constexpr std::uint64_t kMicro = 1'000;
  constexpr std::uint64_t kMilli = 1'000'000;
  constexpr std::uint64_t kSecond = 1'000'000'000;
  return std::array<std::uint64_t, 23>{
      100 * kMicro,  250 * kMicro,    500 * kMicro,  kMilli,         5 * kMilli / 2, 5 * kMilli,
      10 * kMilli,   25 * kMilli,     50 * kMilli,   100 * kMilli,   250 * kMilli,   500 * kMilli,
      kSecond,       5 * kSecond / 2, 5 * kSecond,   10 * kSecond,   30 * kSecond,   60 * kSecond,
      120 * kSecond, 300 * kSecond,   600 * kSecond, 1800 * kSecond, 3600 * kSecond};
}();
inline constexpr std::size_t kBuckets = kBucketBounds.size() + 1;

// For each width in bits the bucket of the smallest number that is so wide: where the search
// begins, so that it takes a step or two.
inline constexpr std::array<std::uint8_t, 65> kFirstBucket = [] {
  std::array<std::uint8_t, 65> first{};
  for (std::size_t width = 1; width < first.size(); ++width) {
    const std::uint64_t smallest = std::uint64_t{1} << (width - 1);
    const auto bound = std::lower_bound(kBucketBounds.begin(), kBucketBounds.end(), smallest);
    first[width] = static_cast<std::uint8_t>(bound - kBucketBounds.begin());
  }
  return first;
}();

inline std::size_t BucketOf(std::uint64_t nanoseconds) {
  std::size_t bucket = kFirstBucket[static_cast<std::size_t>(std::bit_width(nanoseconds))];
  while (bucket < kBucketBounds.size() && nanoseconds > kBucketBounds[bucket]) ++bucket;
  return bucket;
}

// What was recorded, summed over shards.
struct HistogramTotals {
  std::array<std::uint64_t, kBuckets> buckets{};  // not cumulative
  std::uint64_t sum_ns = 0;
};

class HistogramShard {
 public:
  // A negative duration (clocks of two processors may differ by a little) counts as 0.
  void Record(std::chrono::nanoseconds duration, Writers writers) {
    const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0));
    buckets_[BucketOf(ns)].Add(1, writers);
    sum_ns_.Add(ns, writers);
  }

  void AddTo(HistogramTotals& totals) const {
    for (std::size_t i = 0; i < kBuckets; ++i) totals.buckets[i] += buckets_[i].Read();
    totals.sum_ns += sum_ns_.Read();
  }

 private:
  std::array<Count, kBuckets> buckets_{};
  Count sum_ns_;
};

}  // namespace workpool::metrics
