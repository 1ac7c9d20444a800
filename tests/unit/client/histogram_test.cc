#include "histogram.h"

#include <gtest/gtest.h>

namespace workpool::cli {
namespace {

using std::chrono::nanoseconds;

TEST(HistogramTest, IsEmptyAtFirst) {
  EXPECT_EQ(Histogram().Quantile(0.5).count(), 0);
  EXPECT_EQ(Histogram().count(), 0U);
}

TEST(HistogramTest, IsExactForSmallValues) {
  Histogram times;
  for (int i = 1; i <= 100; ++i) times.Add(nanoseconds(i));
  EXPECT_EQ(times.Quantile(0.5).count(), 50);
  EXPECT_EQ(times.Quantile(0.99).count(), 99);
  EXPECT_EQ(times.Quantile(1).count(), 100);
}

TEST(HistogramTest, IsWithinTwoPercentForAll) {
  for (std::int64_t value = 1; value > 0 && value < (std::int64_t{1} << 62);
       value = value * 3 + 1) {
    Histogram times;
    times.Add(nanoseconds(value));
    const std::int64_t seen = times.Quantile(0.5).count();
    EXPECT_GE(seen, value);
    EXPECT_LE(static_cast<double>(seen), static_cast<double>(value) * 1.02);
  }
}

TEST(HistogramTest, Merges) {
  Histogram low;
  Histogram high;
  low.Add(nanoseconds(10), 99);
  high.Add(nanoseconds(100));
  low.Merge(high);
  EXPECT_EQ(low.count(), 100U);
  EXPECT_EQ(low.Quantile(0.99).count(), 10);
  EXPECT_EQ(low.Quantile(0.999).count(), 100);
}

}  // namespace
}  // namespace workpool::cli
