#include "metrics/thread_slot.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <thread>
#include <vector>

#include "metrics/series.h"

namespace workpool {
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
  constexpr std::uint64_t kCounts = 20'000;
  const std::deque<ThreadSlot> taken(kOwnSlots);
  Series series("pool", "handler");
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < 2 * kSharedSlots; ++i) {
    threads.emplace_back([&series] {
      const ThreadSlot slot;
      SeriesWriter writer = series.WriterFor(slot);
      for (std::uint64_t n = 0; n < kCounts; ++n) writer.CountFinished(JobState::kSucceeded);
    });
  }
  threads.clear();
  EXPECT_EQ(series.Totals().finished[static_cast<std::size_t>(JobState::kSucceeded)],
            2 * kSharedSlots * kCounts);
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
}  // namespace workpool
