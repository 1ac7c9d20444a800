#include "deadline.h"

#include <gtest/gtest.h>

namespace workpool::client {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

SteadyTime Now() { return std::chrono::steady_clock::now(); }

TEST(DeadlineTest, LiesSoFarAhead) {
  const SteadyTime before = Now();
  const SteadyTime deadline = DeadlineIn(milliseconds(50));
  EXPECT_GE(deadline, before + milliseconds(50));
  EXPECT_LE(deadline, Now() + milliseconds(50));
  const SteadyTime passed = DeadlineIn(seconds(-1));
  EXPECT_LE(passed, Now());
}

TEST(DeadlineTest, IsNeverWithoutATimeoutOrWithAnEndlessOne) {
  EXPECT_EQ(DeadlineIn(std::nullopt), kNever);
  EXPECT_EQ(DeadlineIn(hours(24 * 3651)), kNever);
  EXPECT_EQ(RoughDeadlineIn(nanoseconds::max()), kNever);
}

TEST(DeadlineTest, ARoughOneIsNearTheExactOne) {
  const SteadyTime before = Now();
  const SteadyTime deadline = RoughDeadlineIn(seconds(30));
  // Ticks may come late where the machine is busy.
  EXPECT_GE(deadline, before + seconds(29));
  EXPECT_LE(deadline, Now() + seconds(31));
}

TEST(DeadlineTest, AShortOneIsNotRough) {
  const SteadyTime before = Now();
  const SteadyTime deadline = RoughDeadlineIn(milliseconds(999));
  EXPECT_GE(deadline, before + milliseconds(999));
  EXPECT_LE(deadline, Now() + milliseconds(999));
}

}  // namespace
}  // namespace workpool::client
