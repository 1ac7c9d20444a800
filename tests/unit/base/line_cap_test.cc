#include "base/line_cap.h"

#include <gtest/gtest.h>

namespace workpool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

SteadyTime At(int ms) { return SteadyTime(seconds(100) + milliseconds(ms)); }

TEST(LineCap, LetsSoManyThroughInAnInterval) {
  LineCap cap(3, seconds(1));
  int written = 0;
  for (int i = 0; i < 10; ++i) written += cap.Count(At(i)) ? 1 : 0;
  EXPECT_EQ(written, 3);
  EXPECT_FALSE(cap.Count(At(999)));
  EXPECT_TRUE(cap.Count(At(1000)));
  EXPECT_TRUE(cap.Count(At(2500)));  // the next interval begins here
  EXPECT_TRUE(cap.Count(At(3499)));
  EXPECT_TRUE(cap.Count(At(3499)));
  EXPECT_FALSE(cap.Count(At(3499)));
}

TEST(LineCap, TellsWhatWasLeftOutOnceAndWhenItsIntervalIsOver) {
  LineCap cap(3, seconds(1));
  EXPECT_EQ(cap.TakeLeftOut(At(0)), 0u);
  for (int i = 0; i < 10; ++i) cap.Count(At(0));
  EXPECT_EQ(cap.TakeLeftOut(At(999)), 0u);
  EXPECT_EQ(cap.TakeLeftOut(At(1000)), 7u);
  EXPECT_EQ(cap.TakeLeftOut(At(1000)), 0u);
  for (int i = 0; i < 5; ++i) cap.Count(At(2000));
  for (int i = 0; i < 4; ++i) cap.Count(At(3000));
  EXPECT_EQ(cap.TakeLeftOut(At(3000)), 2u);
  EXPECT_EQ(cap.TakeLeftOut(SteadyTime::max()), 1u);
}

}  // namespace
}  // namespace workpool
