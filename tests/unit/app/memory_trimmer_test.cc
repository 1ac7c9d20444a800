#include "app/memory_trimmer.h"

#include <gtest/gtest.h>

#include <vector>

namespace workpool {
namespace {

using std::chrono::seconds;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

class TrimRuleTest : public ::testing::Test {
 protected:
  TrimRuleTest() { rule_.Trimmed(at_); }

  // The first of so many seconds in which it is due, each with that many jobs; 0: in none.
  int FirstDue(int seconds_long, MemoryReading reading, std::uint64_t jobs) {
    for (int second = 1; second <= seconds_long; ++second) {
      reading.at = at_ += seconds(1);
      reading.moves = moves_ += jobs;
      if (rule_.Due(reading)) {
        rule_.Trimmed(at_);
        return second;
      }
    }
    return 0;
  }
  int FirstDueAtRest(int seconds_long) {
    return FirstDue(seconds_long, {.at = {}, .idle = true}, 0);
  }

  TrimRule rule_;
  SteadyTime at_ = SteadyTime(seconds(1000));
  std::uint64_t moves_ = 0;
};

TEST_F(TrimRuleTest, AtRestItIsDoneSoonAfterWorkAndThenSeldom) {
  ASSERT_EQ(FirstDue(1, {.at = {}, .resident = 300 * kMiB}, 7), 0);
  EXPECT_EQ(FirstDueAtRest(100), 4);
  EXPECT_EQ(FirstDueAtRest(100), 60);
  EXPECT_EQ(FirstDueAtRest(100), 60);
}

// A drained burst looks idle while its memory is still being freed.
TEST_F(TrimRuleTest, NotWhileJobsHaveJustEnded) {
  at_ += seconds(10);
  EXPECT_EQ(FirstDue(1, {.at = {}, .resident = 300 * kMiB, .idle = true}, 5), 0);
  EXPECT_EQ(FirstDueAtRest(1), 1);
}

TEST_F(TrimRuleTest, UnderLoadItIsDoneSeldom) {
  EXPECT_EQ(FirstDue(100, {.at = {}, .resident = 64 * kMiB}, 1), 30);
  EXPECT_EQ(FirstDue(100, {.at = {}, .resident = 64 * kMiB, .idle = true}, 1), 30);
  EXPECT_EQ(FirstDue(100, {.at = {}, .resident = 64 * kMiB}, 0), 30);
}

TEST_F(TrimRuleTest, UnderLoadOnlyWhereItIsWorthIt) {
  EXPECT_EQ(FirstDue(100, {.at = {}, .resident = 64 * kMiB - 1}, 1), 0);
  EXPECT_EQ(FirstDue(100, {.at = {}, .resident = 200 * kMiB, .queued = 101 * kMiB}, 1), 0);
  EXPECT_EQ(FirstDue(100, {.at = {}, .resident = 200 * kMiB, .queued = 100 * kMiB}, 1), 1);
}

TEST(ReadMemory, AddsThePoolsUp) {
  std::vector<PoolView> pools(2);
  EXPECT_TRUE(ReadMemory({}, pools).idle);
  pools[0].stats.queued_bytes = 5;
  pools[1].stats.queued_bytes = 6;
  pools[0].stats.accepted = 3;
  pools[0].stats.finished = 2;
  pools[1].stats.withdrawn = 1;
  pools[1].stats.active = 1;
  const MemoryReading reading = ReadMemory({}, pools);
  EXPECT_EQ(reading.queued, 11U);
  EXPECT_EQ(reading.moves, 6U);
  EXPECT_FALSE(reading.idle);
  EXPECT_GT(reading.resident, kMiB / 2);
}

}  // namespace
}  // namespace workpool
