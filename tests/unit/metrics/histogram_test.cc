#include "metrics/histogram.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace workpool::metrics {
namespace {

TEST(HistogramTest, BoundsRiseFromAHundredMicrosecondsToAnHour) {
  EXPECT_EQ(kBucketBounds.front(), 100'000u);
  EXPECT_EQ(kBucketBounds.back(), 3'600'000'000'000u);
  for (std::size_t i = 1; i < kBucketBounds.size(); ++i) {
    EXPECT_LT(kBucketBounds[i - 1], kBucketBounds[i]);
  }
}

TEST(HistogramTest, BoundBelongsToItsBucket) {
  for (std::size_t i = 0; i < kBucketBounds.size(); ++i) {
    EXPECT_EQ(BucketOf(kBucketBounds[i]), i);
    EXPECT_EQ(BucketOf(kBucketBounds[i] + 1), i + 1);
  }
  EXPECT_EQ(BucketOf(0), 0u);
  EXPECT_EQ(BucketOf(std::numeric_limits<std::uint64_t>::max()), kBuckets - 1);
}

TEST(HistogramTest, ShardsAddUp) {
  HistogramShard one;
  HistogramShard two;
  one.Record(std::chrono::microseconds(50), Writers::kOne);
  two.Record(std::chrono::microseconds(50), Writers::kOne);
  two.Record(std::chrono::hours(2), Writers::kOne);
  HistogramTotals totals;
  one.AddTo(totals);
  two.AddTo(totals);
  EXPECT_EQ(totals.buckets.front(), 2u);
  EXPECT_EQ(totals.buckets.back(), 1u);
  EXPECT_EQ(std::accumulate(totals.buckets.begin(), totals.buckets.end(), 0u), 3u);
  EXPECT_EQ(totals.sum_ns, 7'200'000'100'000u);
}

// Clocks that were read on two processors may differ by a little.
TEST(HistogramTest, NegativeCountsAsZero) {
  HistogramShard shard;
  shard.Record(std::chrono::nanoseconds(-5), Writers::kOne);
  HistogramTotals totals;
  shard.AddTo(totals);
  EXPECT_EQ(totals.buckets.front(), 1u);
  EXPECT_EQ(totals.sum_ns, 0u);
}

}  // namespace
}  // namespace workpool::metrics
