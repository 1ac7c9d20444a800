// The small parts that admission is made of.
#include <gtest/gtest.h>

#include "fakes/idle_task.h"
#include "pool/notice_queue.h"
#include "pool/priority_queue.h"
#include "pool/worker_numbers.h"

namespace workpool {
namespace {

TEST(WorkerNumbersTest, BeginsAtZeroAndReusesTheLastReturnedFirst) {
  WorkerNumbers numbers(3);
  EXPECT_EQ(numbers.Take(), 0u);
  EXPECT_EQ(numbers.Take(), 1u);
  numbers.Return(0);
  numbers.Return(1);
  EXPECT_EQ(numbers.Take(), 1u);
  EXPECT_EQ(numbers.Take(), 0u);
  EXPECT_EQ(numbers.Take(), 2u);
}

TEST(WorkerNumbersTest, NumbersAboveALoweredLimitAreNotHandedOutAgain) {
  WorkerNumbers numbers(4);
  for (int i = 0; i < 4; ++i) numbers.Take();
  numbers.Return(2);
  numbers.SetLimit(2);
  numbers.Return(3);
  numbers.Return(1);
  EXPECT_EQ(numbers.Take(), 1u);  // 0 is held; 2 and 3 are above the limit
}

TEST(WorkerNumbersTest, ARaisedLimitHandsOutEachNumberOnce) {
  WorkerNumbers numbers(4);
  for (int i = 0; i < 4; ++i) numbers.Take();
  numbers.Return(2);
  numbers.SetLimit(1);  // 0, 1 and 3 are still held
  numbers.SetLimit(6);
  EXPECT_EQ(numbers.Take(), 2u);
  EXPECT_EQ(numbers.Take(), 4u);
  EXPECT_EQ(numbers.Take(), 5u);
  numbers.Return(3);
  EXPECT_EQ(numbers.Take(), 3u);
}

TEST(WorkerNumbersDeathTest, MoreThanTheLimitIsImpossible) {
  WorkerNumbers numbers(1);
  numbers.Take();
  EXPECT_DEATH(numbers.Take(), "impossible");
  EXPECT_DEATH(numbers.Return(1), "impossible");
}

TEST(NoticeQueueTest, KeepsItsOrderWhileItGrowsAndWrapsAround) {
  NoticeQueue queue;
  std::vector<IdleTask> tasks(100);
  std::size_t pushed = 0;
  std::size_t taken = 0;
  while (taken < tasks.size()) {
    for (int i = 0; i < 3 && pushed < tasks.size(); ++i) queue.Push({.task = &tasks[pushed++]});
    EXPECT_EQ(queue.Take().task, &tasks[taken++]);
  }
  EXPECT_EQ(queue.size(), 0u);
  EXPECT_EQ(queue.Take().task, nullptr);
}

TEST(NoticeQueueTest, PassesOverDroppedEntries) {
  NoticeQueue queue;
  IdleTask first;
  IdleTask second;
  const std::uint32_t number = queue.Push({.task = &first, .accepted = true});
  queue.Push({.task = &second, .refusal = Refusal::kDraining});
  queue.Drop(number);
  const NoticeQueue::Entry entry = queue.Take();
  EXPECT_EQ(entry.task, &second);
  EXPECT_FALSE(entry.accepted);
  EXPECT_EQ(entry.refusal, Refusal::kDraining);
  EXPECT_EQ(queue.size(), 0u);
}

TEST(PriorityQueueTest, ServesByPriorityThenArrival) {
  PriorityQueue queue;
  IdleTask low(0);
  IdleTask high(9);
  IdleTask later(9);
  EXPECT_EQ(queue.Highest(), -1);
  EXPECT_EQ(queue.Front(), nullptr);
  for (IdleTask* task : {&low, &high, &later}) queue.Push(*task);
  EXPECT_EQ(queue.Highest(), 9);
  EXPECT_EQ(queue.Front(), &high);
  queue.Remove(high);
  EXPECT_EQ(queue.Front(), &later);
  queue.Remove(later);
  EXPECT_EQ(queue.Front(), &low);
}

TEST(PriorityQueueTest, TheOldestIsFoundInAnyPriority) {
  PriorityQueue queue;
  EXPECT_FALSE(queue.Oldest());
  IdleTask low(0);
  IdleTask high(9);
  low.offered_at = SteadyTime(std::chrono::seconds(1));
  high.offered_at = SteadyTime(std::chrono::seconds(2));
  queue.Push(high);
  queue.Push(low);
  EXPECT_EQ(queue.Oldest(), low.offered_at);
}

}  // namespace
}  // namespace workpool
