#include "jobs/throughput_meter.h"

#include <gtest/gtest.h>

namespace workpool {
namespace {

TEST(ThroughputMeter, WeighsReadingsByTheirCompletions) {
  ThroughputMeter meter;
  meter.Add(10, 100);
  meter.Add(20, 300);
  EXPECT_EQ(meter.count(), 2);
  EXPECT_DOUBLE_EQ(meter.mean(), 17.5);
  meter.Start();
  EXPECT_EQ(meter.count(), 0);
  meter.Add(7, 1);
  EXPECT_DOUBLE_EQ(meter.mean(), 7);
}

TEST(ThroughputMeter, LearnsHowMuchReadingsScatter) {
  ThroughputMeter even;
  ThroughputMeter wild;
  for (int i = 0; i < 50; ++i) {
    even.Add(100, 100);
    wild.Add(i % 2 == 0 ? 80 : 120, 100);
  }
  EXPECT_DOUBLE_EQ(even.Noise(100), 0.01);  // the least that it believes
  EXPECT_GT(wild.Noise(100), 0.1);
  EXPECT_LT(wild.error(), wild.Noise(100) / 5);
  EXPECT_GT(wild.CompletionsFor(0.04), 20 * even.CompletionsFor(0.04));
  // What it has learnt outlives a measurement.
  const double noise = wild.Noise(100);
  wild.Start();
  EXPECT_DOUBLE_EQ(wild.Noise(100), noise);
}

TEST(ThroughputMeter, MoreCompletionsScatterLess) {
  const ThroughputMeter meter;
  EXPECT_DOUBLE_EQ(meter.Noise(400), meter.Noise(100) / 2);
  EXPECT_GT(meter.Noise(0), 0);
}

}  // namespace
}  // namespace workpool
