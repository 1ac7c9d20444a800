#include "jobs/pool_sizing.h"

#include <gtest/gtest.h>

namespace workpool {
namespace {

using std::chrono::seconds;

SteadyTime At(int s) { return SteadyTime(seconds(s)); }

PoolConfig Config(std::uint32_t workers, std::uint64_t capacity) {
  PoolConfig config;
  config.name = "p";
  config.limits.workers = workers;
  config.limits.capacity = capacity;
  return config;
}

TEST(PoolSizing, HoldsEachKeyForItsOwnTime) {
  PoolSizing sizing(Config(4, 10));
  sizing.Override({.workers = 8, .capacity = {}, .hold_for = seconds(60)}, At(0));
  sizing.Override({.workers = {}, .capacity = 99, .hold_for = {}}, At(0));
  EXPECT_EQ(sizing.Current().limits.workers, 8u);
  EXPECT_EQ(sizing.Current().limits.capacity, 99u);
  EXPECT_EQ(sizing.NextExpiry(), At(60));
  EXPECT_FALSE(sizing.Expire(At(59)));
  EXPECT_TRUE(sizing.Expire(At(60)));
  EXPECT_EQ(sizing.Current().limits.workers, 4u);
  EXPECT_EQ(sizing.Current().limits.capacity, 99u);
  EXPECT_FALSE(sizing.NextExpiry());
}

TEST(PoolSizing, RenewingAHoldReplacesIt) {
  PoolSizing sizing(Config(4, 10));
  sizing.Override({.workers = 8, .capacity = {}, .hold_for = seconds(60)}, At(0));
  sizing.Override({.workers = 9, .capacity = {}, .hold_for = seconds(60)}, At(30));
  EXPECT_FALSE(sizing.Expire(At(60)));
  EXPECT_EQ(sizing.Current().limits.workers, 9u);
  EXPECT_TRUE(sizing.Expire(At(90)));
}

TEST(PoolSizing, AResizeForAWhileLiesOverOneWithoutAnEnd) {
  PoolSizing sizing(Config(4, 10));
  sizing.Override({.workers = 8, .capacity = 99, .hold_for = {}}, At(0));
  sizing.Override({.workers = 3, .capacity = 1, .hold_for = seconds(60)}, At(0));
  sizing.Override({.workers = 5, .capacity = {}, .hold_for = seconds(50)}, At(1));
  EXPECT_EQ(sizing.Current().limits.workers, 5u);
  EXPECT_TRUE(sizing.Expire(At(51)));
  EXPECT_EQ(sizing.Current().limits.workers, 8u);
  EXPECT_EQ(sizing.Current().limits.capacity, 1u);
  EXPECT_TRUE(sizing.Current().workers_resized);
  EXPECT_TRUE(sizing.Expire(At(60)));
  EXPECT_EQ(sizing.Current().limits.capacity, 99u);
  EXPECT_FALSE(sizing.NextExpiry());
  sizing.Override({.workers = 3, .capacity = {}, .hold_for = seconds(60)}, At(70));
  sizing.Override({.workers = 6, .capacity = {}, .hold_for = {}}, At(71));
  EXPECT_EQ(sizing.Current().limits.workers, 6u);  // at once, and for good
  EXPECT_FALSE(sizing.Expire(At(130)));
  sizing.Override({.workers = 3, .capacity = {}, .hold_for = seconds(60)}, At(131));
  sizing.Reconfigure(Config(7, 10));
  EXPECT_EQ(sizing.Current().limits.workers, 7u);
  EXPECT_FALSE(sizing.Current().workers_resized);
}

TEST(PoolSizing, ResetGoesBackToTheConfig) {
  PoolSizing sizing(Config(4, 10));
  sizing.Override({.workers = 8, .capacity = 99, .hold_for = {}}, At(0));
  sizing.Override({.workers = {}, .capacity = {}, .hold_for = {}, .reset = true}, At(1));
  EXPECT_EQ(sizing.Current().limits.workers, 4u);
  EXPECT_EQ(sizing.Current().limits.capacity, 10u);
}

TEST(PoolSizing, AReloadEndsTheHoldOfAChangedKeyOnly) {
  PoolSizing sizing(Config(4, 10));
  sizing.Override({.workers = 8, .capacity = 99, .hold_for = {}}, At(0));
  EXPECT_TRUE(sizing.Reconfigure(Config(4, 10)).empty());
  EXPECT_EQ(sizing.Current().limits.workers, 8u);
  const auto lines = sizing.Reconfigure(Config(5, 10));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines.front(), "workers 4 -> 5");
  EXPECT_EQ(sizing.Current().limits.workers, 5u);
  EXPECT_EQ(sizing.Current().limits.capacity, 99u);
}

TEST(PoolSizing, AReloadOfARangeEndsAHoldAndIsTold) {
  PoolConfig elastic = Config(64, 10);
  elastic.sizing = Sizing::kElastic;
  elastic.min_workers = 2;
  PoolSizing sizing(Config(4, 10));
  EXPECT_EQ(sizing.Reconfigure(elastic),
            (std::vector<std::string>{"workers 4 -> elastic 2 to 64, idle 30s"}));
  sizing.Override({.workers = 8, .capacity = {}, .hold_for = {}}, At(0));
  EXPECT_TRUE(sizing.Current().workers_resized);
  EXPECT_TRUE(sizing.Reconfigure(elastic).empty());
  EXPECT_TRUE(sizing.Current().workers_resized);
  elastic.idle = seconds(5);
  EXPECT_EQ(sizing.Reconfigure(elastic).size(), 1u);
  EXPECT_FALSE(sizing.Current().workers_resized);
  elastic.min_workers = 3;
  EXPECT_EQ(sizing.Reconfigure(elastic),
            (std::vector<std::string>{"workers elastic 2 to 64, idle 5s -> elastic 3 to 64, "
                                      "idle 5s"}));
}

TEST(PoolSizing, SaysWhatAReloadChanged) {
  PoolSizing sizing(Config(4, 10));
  PoolConfig other = Config(4, 20);
  other.limits.capacity_bytes = std::uint64_t{1} << 20;
  other.limits.max_waiting = 5;
  other.when_full = WhenFull::kWait;
  other.max_wait = seconds(30);
  other.keep.finished.jobs = 7;
  EXPECT_EQ(sizing.Reconfigure(other),
            (std::vector<std::string>{"capacity 10 -> 20", "capacity_bytes 256MiB -> 1MiB",
                                      "max_waiting 10000 -> 5", "when_full reject -> wait",
                                      "max_wait 5m -> 30s",
                                      "keep 15m, 100000 jobs, 64MiB -> 15m, 7 jobs, 64MiB"}));
}

TEST(CheckResize, RefusesWhatMakesNoSense) {
  const auto message = [](ResizeRequest request) {
    const Result<void> checked = CheckResize(request);
    return checked ? std::string() : checked.error().message;
  };
  EXPECT_EQ(message({.workers = 1, .capacity = 0, .hold_for = seconds(1)}), "");
  EXPECT_EQ(message({.workers = {}, .capacity = {}, .hold_for = {}, .reset = true}), "");
  EXPECT_NE(message({}), "");
  EXPECT_NE(message({.workers = {}, .capacity = {}, .hold_for = seconds(1)}), "");
  EXPECT_NE(message({.workers = 1, .capacity = {}, .hold_for = {}, .reset = true}), "");
  EXPECT_NE(message({.workers = 0, .capacity = {}, .hold_for = {}}).find("workers"),
            std::string::npos);
  EXPECT_NE(message({.workers = 4'000'000'000, .capacity = {}, .hold_for = {}}), "");
  EXPECT_NE(
      message({.workers = {}, .capacity = ~std::uint64_t{0}, .hold_for = {}}).find("capacity"),
      std::string::npos);
  EXPECT_NE(message({.workers = 1, .capacity = {}, .hold_for = seconds(0)}).find("hold_for"),
            std::string::npos);
  EXPECT_NE(message({.workers = 1, .capacity = {}, .hold_for = std::chrono::hours(24 * 9000)}), "");
}

}  // namespace
}  // namespace workpool
