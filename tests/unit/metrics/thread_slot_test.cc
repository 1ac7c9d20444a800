#include "metrics/thread_slot.h"

#include <gtest/gtest.h>

#include <barrier>
#include <deque>
#include <set>
#include <thread>

#include "metrics/series.h"

namespace workpool::metrics {
namespace {

TEST(ThreadSlotTest, NumbersOfLivingThreadsDiffer) {
  std::deque<ThreadSlot> slots(20);
  std::set<std::size_t> numbers;
  for (const ThreadSlot& slot : slots) {
    numbers.insert(slot.number());
    EXPECT_EQ(slot.writers(), Writers::kOne);
  }
  EXPECT_EQ(numbers.size(), slots.size());
}

TEST(ThreadSlotTest, NumberIsUsedAgain) {
  std::size_t number = 0;
  {
    const ThreadSlot slot;
    number = slot.number();
  }
  EXPECT_EQ(ThreadSlot().number(), number);
}

TEST(ThreadSlotTest, ThreadsBeyondTheirShareCountTogether) {
  std::deque<ThreadSlot> slots(kOwnSlots);
  const ThreadSlot next;
  EXPECT_GE(next.number(), kOwnSlots);
  EXPECT_LT(next.number(), kSlots);
  EXPECT_EQ(next.writers(), Writers::kSeveral);
}

TEST(ThreadSlotTest, SharedShardLosesNoCount) {
  constexpr std::uint64_t kCounts = 1'000'000;
  // The slots of two threads that share a shard, as if there were that many threads.
  const std::deque<ThreadSlot> slots(kOwnSlots + kSharedSlots + 1);
  const ThreadSlot& first = slots[kOwnSlots];
  const ThreadSlot& second = slots.back();
  ASSERT_EQ(first.number(), second.number());
  Series series("pool", "handler");
  std::barrier start(2);
  const auto count = [&](const ThreadSlot& slot) {
    SeriesWriter writer = series.WriterFor(slot);
    start.arrive_and_wait();
    for (std::uint64_t n = 0; n < kCounts; ++n) writer.CountFinished(JobState::kSucceeded);
  };
  std::jthread other([&] { count(second); });
  count(first);
  other.join();
  EXPECT_EQ(series.Totals().finished[static_cast<std::size_t>(JobState::kSucceeded)], 2 * kCounts);
}

TEST(ThreadSlotTest, CountsOutliveTheirThread) {
  Series series("pool", "handler");
  for (int i = 0; i < 10; ++i) {
    std::thread([&series] {
      const ThreadSlot slot;
      series.WriterFor(slot).CountFinished(JobState::kDead);
    }).join();
  }
  EXPECT_EQ(series.Totals().finished[static_cast<std::size_t>(JobState::kDead)], 10u);
}

}  // namespace
}  // namespace workpool::metrics
