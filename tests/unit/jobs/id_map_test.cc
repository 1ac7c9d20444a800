#include "jobs/id_map.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <vector>

namespace workpool {
namespace {

using Map = IdMap<std::shared_ptr<int>>;

std::vector<JobId> Descending(const Map& map, JobId before, std::size_t limit = 1000) {
  std::vector<JobId> ids;
  map.Descend(before, [&](JobId id, const auto&) {
    ids.push_back(id);
    return ids.size() < limit;
  });
  return ids;
}

TEST(IdMap, FindsTakesAndForgets) {
  Map map;
  map.Insert(31, std::make_shared<int>(1));
  map.Insert(32, std::make_shared<int>(2));
  EXPECT_EQ(*map.Find(32), 2);
  EXPECT_EQ(map.Find(33), nullptr);
  EXPECT_EQ(map.Find(64), nullptr);
  EXPECT_EQ(*map.Take(31), 1);
  EXPECT_EQ(map.Take(31), nullptr);
  EXPECT_EQ(map.Find(31), nullptr);
  EXPECT_EQ(map.size(), 1u);
}

TEST(IdMap, DescendsFromWhereItIsTold) {
  Map map;
  for (const JobId id : std::vector<JobId>{1, 31, 32, 63, 64, 1000})
    map.Insert(id, std::make_shared<int>(0));
  EXPECT_EQ(Descending(map, 0), (std::vector<JobId>{1000, 64, 63, 32, 31, 1}));
  EXPECT_EQ(Descending(map, 64), (std::vector<JobId>{63, 32, 31, 1}));
  EXPECT_EQ(Descending(map, 65), (std::vector<JobId>{64, 63, 32, 31, 1}));
  EXPECT_EQ(Descending(map, 0, 2), (std::vector<JobId>{1000, 64}));
  EXPECT_TRUE(Descending(map, 1).empty());
}

TEST(IdMap, AgreesWithAnOrderedMapUnderRandomUse) {
  std::mt19937 random(7);
  Map map;
  std::map<JobId, int> model;
  JobId last = 0;
  for (int i = 0; i < 5000; ++i) {
    if (random() % 3 != 0) {
      last += 1 + random() % 5;
      map.Insert(last, std::make_shared<int>(i));
      model[last] = i;
    } else {
      const JobId id = 1 + random() % (last + 1);
      const auto taken = map.Take(id);
      ASSERT_EQ(taken != nullptr, model.erase(id) == 1);
    }
  }
  ASSERT_EQ(map.size(), model.size());
  std::vector<JobId> expected;
  for (auto at = model.rbegin(); at != model.rend(); ++at) expected.push_back(at->first);
  EXPECT_EQ(Descending(map, 0, 100'000), expected);
}

}  // namespace
}  // namespace workpool
