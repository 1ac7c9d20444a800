#include "jobs/size_search.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace workpool {
namespace {

SizeReading At(double rate, double error = 0) {
  SizeReading reading;
  reading.rate = rate;
  reading.error = error;
  return reading;
}

// The sizes that it measures on the curve, from the first on.
std::vector<std::uint32_t> Visit(SizeSearch& search, std::uint32_t size,
                                 const std::function<double(std::uint32_t)>& curve) {
  std::vector<std::uint32_t> visited = {size};
  search.Note(size, At(curve(size)));
  while (const auto next = search.Next()) {
    visited.push_back(*next);
    search.Note(*next, At(curve(*next)));
    if (visited.size() > 50) break;
  }
  return visited;
}

using Sizes = std::vector<std::uint32_t>;

TEST(SizeSearch, DoublesThenBisects) {
  SizeSearch search(1, 64);
  const auto knee = [](std::uint32_t n) { return std::min<double>(n, 24); };
  EXPECT_EQ(Visit(search, 3, knee), (Sizes{3, 6, 12, 24, 48, 18, 21, 22}));
  EXPECT_EQ(search.Found(), 24u);
}

TEST(SizeSearch, HalvesWhereFewerDoAsWell) {
  SizeSearch search(1, 64);
  EXPECT_EQ(Visit(search, 40, [](std::uint32_t n) { return std::min<double>(n, 5); }),
            (Sizes{40, 64, 20, 10, 5, 2, 3, 4}));
  EXPECT_EQ(search.Found(), 5u);
}

TEST(SizeSearch, StaysWithinItsBounds) {
  SizeSearch up(4, 10);
  EXPECT_EQ(Visit(up, 6, [](std::uint32_t n) { return n; }), (Sizes{6, 10, 8, 9}));
  EXPECT_EQ(up.Found(), 10u);
  SizeSearch down(4, 10);
  EXPECT_EQ(Visit(down, 6, [](std::uint32_t) { return 1; }), (Sizes{6, 10, 4}));
  EXPECT_EQ(down.Found(), 4u);
  SizeSearch only(7, 7);
  EXPECT_EQ(Visit(only, 7, [](std::uint32_t) { return 1; }), (Sizes{7}));
}

TEST(SizeSearch, LooksForTheSummitBelowASizeThatGivesLess) {
  SizeSearch search(1, 64);
  const auto hill = [](std::uint32_t n) { return 1 - (n - 20.0) * (n - 20.0) / 400; };
  EXPECT_EQ(Visit(search, 8, hill), (Sizes{8, 16, 32, 24, 12, 14, 15}));
  EXPECT_EQ(search.Found(), 15u);
}

TEST(SizeSearch, MeasuresARoughReadingAgainBeforeItDependsOnIt) {
  SizeSearch search(1, 16);
  search.Note(4, At(40));
  SizeReading rough = At(70);
  rough.rough = true;
  search.Note(8, rough);
  search.Note(16, At(75));
  EXPECT_EQ(search.Next(), 16u - 4u);  // 8 is not enough, 16 is
  search.Note(12, At(74));
  EXPECT_EQ(search.Next(), 10u);
  SizeSearch again(1, 16);
  again.Note(8, rough);
  again.Note(16, At(71));
  EXPECT_EQ(again.Next(), 8u);
}

TEST(SizeSearch, TakesTheHighestOfManyReadingsForALittleTooHigh) {
  SizeSearch search(1, 8);
  search.Note(4, At(96));
  search.Note(8, At(102, 0.04));
  EXPECT_DOUBLE_EQ(search.BestRate(), 102 * 0.98);
  EXPECT_EQ(search.Found(), 4u);
}

TEST(SizeSearch, WhereTheLoadEndsFirstABacklogThatGrowsIsNotEnough) {
  SizeSearch search(1, 16);
  SizeReading spare = At(100);
  spare.spare = true;
  search.Note(16, spare);
  search.Note(8, At(98));
  EXPECT_EQ(search.Found(), 16u);
  SizeReading keeps_up = At(98);
  keeps_up.keeps_up = true;
  search.Note(8, keeps_up);
  EXPECT_EQ(search.Found(), 8u);
  // And it climbs no further.
  SizeSearch alone(1, 64);
  alone.Note(1, spare);
  EXPECT_EQ(alone.Next(), std::nullopt);
}

}  // namespace
}  // namespace workpool
