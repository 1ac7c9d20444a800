#include "jobs/load_watch.h"

#include <gtest/gtest.h>

namespace workpool {
namespace {

using Backlog = LoadWatch::Backlog;

TEST(LoadWatch, ADeepBacklogPressesInTwoIntervals) {
  LoadWatch load;
  load.Add(8, 8, Backlog::kDeep);
  EXPECT_FALSE(load.pressed());
  load.Add(7.4, 8, Backlog::kDeep);
  EXPECT_TRUE(load.pressed());
  load.Add(8, 8, Backlog::kNone);
  EXPECT_FALSE(load.pressed());
}

TEST(LoadWatch, ASmallBacklogPressesWhenItLastsWithAllWorkersBusy) {
  LoadWatch load;
  for (int i = 0; i < 3; ++i) load.Add(8, 8, Backlog::kSome);
  EXPECT_FALSE(load.pressed());
  load.Add(8, 8, Backlog::kSome);
  EXPECT_TRUE(load.pressed());
  LoadWatch waves;
  for (int i = 0; i < 4; ++i) waves.Add(7.5, 8, Backlog::kSome);
  EXPECT_FALSE(waves.pressed());
}

TEST(LoadWatch, JobsThatMayNotRunDoNotPress) {
  LoadWatch load;
  for (int i = 0; i < 10; ++i) load.Add(2, 8, Backlog::kDeep);
  EXPECT_FALSE(load.pressed());
}

TEST(LoadWatch, NeedIsTheHeaviestPart) {
  LoadWatch load;
  for (int i = 0; i < 19; ++i) load.Add(2, 8, Backlog::kNone);
  EXPECT_EQ(load.Need(), std::nullopt);
  load.Add(8, 8, Backlog::kNone);
  EXPECT_DOUBLE_EQ(*load.Need(), 4);  // one of three
  load.Add(8, 8, Backlog::kNone);
  load.Add(8, 8, Backlog::kNone);
  EXPECT_DOUBLE_EQ(*load.Need(), 8);
  for (int i = 0; i < 18; ++i) load.Add(1, 8, Backlog::kNone);
  EXPECT_DOUBLE_EQ(*load.Need(), (8 + 8 + 1) / 3.0);
  load.Forget();
  EXPECT_EQ(load.Need(), std::nullopt);
}

}  // namespace
}  // namespace workpool
