#include "jobs/deadline_queue.h"

#include <gtest/gtest.h>

#include <memory>

#include "fakes/manual_alarm.h"

namespace workpool {
namespace {

using std::chrono::seconds;

SteadyTime At(int s) { return SteadyTime(seconds(s)); }

class DeadlineQueueTest : public ::testing::Test {
 protected:
  DeadlineKey Add(int at, int value) {
    return queue_.Add(At(at), [this, value] { done_.push_back(value); });
  }
  void RunDue(int now) {
    for (auto& due : queue_.TakeDue(At(now))) due();
  }

  ManualAlarm alarm_;
  DeadlineQueue queue_{alarm_};
  std::vector<int> done_;
};

TEST_F(DeadlineQueueTest, GivesWhatIsDueInOrder) {
  Add(3, 30);
  Add(1, 10);
  Add(2, 20);
  Add(2, 21);
  RunDue(2);
  EXPECT_EQ(done_, (std::vector<int>{10, 20, 21}));
  RunDue(9);
  EXPECT_EQ(done_.back(), 30);
}

TEST_F(DeadlineQueueTest, GivesNoMoreThanWantedAndRingsAgainAtOnceForTheRest) {
  for (int value = 1; value <= 3; ++value) Add(value, value);
  alarm_.Clear();
  for (auto& due : queue_.TakeDue(At(9), 2)) due();
  EXPECT_EQ(done_, (std::vector<int>{1, 2}));
  EXPECT_EQ(alarm_.next(), At(3));
  RunDue(9);
  EXPECT_EQ(done_, (std::vector<int>{1, 2, 3}));
}

TEST_F(DeadlineQueueTest, RemovedActionsDoNotCome) {
  const DeadlineKey first = Add(1, 10);
  Add(1, 11);
  queue_.Remove(first);
  queue_.Remove(first);
  queue_.Remove(DeadlineKey{});
  RunDue(1);
  EXPECT_EQ(done_, std::vector<int>{11});
}

TEST_F(DeadlineQueueTest, SetsTheAlarmForTheNextAction) {
  Add(5, 1);
  EXPECT_EQ(alarm_.next(), At(5));
  Add(9, 2);
  EXPECT_EQ(alarm_.next(), At(5));
  Add(3, 3);
  EXPECT_EQ(alarm_.next(), At(3));
  alarm_.Clear();
  RunDue(5);
  EXPECT_EQ(alarm_.next(), At(9));
  alarm_.Clear();
  RunDue(9);
  EXPECT_FALSE(alarm_.next());
}

TEST_F(DeadlineQueueTest, RemovingDestroysWhatTheActionHolds) {
  auto held = std::make_shared<int>(1);
  const DeadlineKey key = queue_.Add(At(1), [held] {});
  EXPECT_EQ(held.use_count(), 2);
  queue_.Remove(key);
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace workpool
