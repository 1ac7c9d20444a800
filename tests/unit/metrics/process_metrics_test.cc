#include "metrics/process_metrics.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace workpool::metrics {
namespace {

TEST(ProcessMetricsTest, FiguresArePlausible) {
  ProcessMetrics metrics;
  const ProcessReading reading = metrics.Read();
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  EXPECT_GT(reading.resident_bytes.value(), 100'000);
  EXPECT_GT(reading.virtual_bytes.value(), reading.resident_bytes.value());
  EXPECT_GE(reading.cpu_seconds.value(), 0);
  EXPECT_GT(reading.start_time.value(), now - 86'400);
  EXPECT_LT(reading.start_time.value(), now + 60);
  EXPECT_GT(reading.max_descriptors.value(), reading.open_descriptors.value());
}

TEST(ProcessMetricsTest, DescriptorsAreCounted) {
  ProcessMetrics metrics;
  const double before = metrics.Read().open_descriptors.value();
  const int fd = open("/dev/null", O_RDONLY);
  EXPECT_EQ(metrics.Read().open_descriptors.value(), before + 1);
  close(fd);
  EXPECT_EQ(metrics.Read().open_descriptors.value(), before);
}

TEST(ProcessMetricsTest, ThreadsAreCounted) {
  ProcessMetrics metrics;
  const double before = metrics.Read().threads.value();
  double during = 0;
  std::thread([&] { during = metrics.Read().threads.value(); }).join();
  EXPECT_EQ(during, before + 1);
}

TEST(ProcessMetricsTest, ReadsWithNoDescriptorLeft) {
  ProcessMetrics metrics;
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const auto open_now = static_cast<rlim_t>(metrics.Read().open_descriptors.value());
  const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  const ProcessReading reading = metrics.Read();
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(static_cast<rlim_t>(reading.open_descriptors.value_or(0)), open_now);
  EXPECT_TRUE(reading.resident_bytes);
}

}  // namespace
}  // namespace workpool::metrics
