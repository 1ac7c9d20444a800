#include "stores/pool_records.h"

#include <gtest/gtest.h>

namespace workpool {
namespace {

using std::chrono::seconds;

SteadyTime At(int s) { return SteadyTime(seconds(s)); }

TEST(PoolRecords, TellsEarlyOnesFromOldOnes) {
  PoolRecords records;
  for (JobId id = 1; id <= 5; ++id) records.Add(id, 10, At(static_cast<int>(id)));
  std::vector<JobId> dropped;
  // Two are too old, one more exceeds the number.
  EXPECT_EQ(records.Trim({seconds(10), 2, 1000}, At(12), dropped), 1u);
  EXPECT_EQ(dropped, (std::vector<JobId>{1, 2, 3}));
  EXPECT_EQ(records.count(), 2u);
  EXPECT_EQ(records.NextExpiry({seconds(10), 2, 1000}), At(14));
}

TEST(PoolRecords, AppliesTheBoundOnBytes) {
  PoolRecords records;
  for (JobId id = 1; id <= 3; ++id) records.Add(id, 10, At(0));
  std::vector<JobId> dropped;
  EXPECT_EQ(records.Trim({seconds(10), 100, 20}, At(0), dropped), 1u);
  EXPECT_EQ(records.Trim({seconds(10), 100, 9}, At(0), dropped), 2u);
  EXPECT_EQ(dropped, (std::vector<JobId>{1, 2, 3}));
  EXPECT_FALSE(records.NextExpiry({seconds(10), 100, 9}));
}

}  // namespace
}  // namespace workpool
