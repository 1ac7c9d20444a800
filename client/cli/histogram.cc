#include "histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace workpool::cli {

namespace {

// Values below 2 * kSteps have a bucket each; above, kSteps buckets for each power of two.
constexpr int kBits = 6;
constexpr std::uint64_t kSteps = 1U << kBits;

std::size_t IndexOf(std::uint64_t value) {
  const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - kBits - 1);
  return static_cast<std::size_t>(shift) * kSteps + static_cast<std::size_t>(value >> shift);
}

// The largest value of a bucket.
std::uint64_t TopOf(std::size_t index) {
  if (index < 2 * kSteps) return index;
  const std::size_t shift = index / kSteps - 1;
  const std::uint64_t step = index - shift * kSteps;
  return ((step + 1) << shift) - 1;
}

}  // namespace

Histogram::Histogram() : buckets_(IndexOf(~std::uint64_t{0}) + 1) {}

void Histogram::Add(std::chrono::nanoseconds duration, std::uint64_t times) {
  buckets_[IndexOf(static_cast<std::uint64_t>(std::max<std::int64_t>(0, duration.count())))] +=
      times;
  count_ += times;
}

void Histogram::Merge(const Histogram& other) {
  for (std::size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
}

std::chrono::nanoseconds Histogram::Quantile(double share) const {
  const auto rank = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= rank && seen > 0) {
      return std::chrono::nanoseconds(static_cast<std::int64_t>(TopOf(i)));
    }
  }
  return std::chrono::nanoseconds(0);
}

}  // namespace workpool::cli
