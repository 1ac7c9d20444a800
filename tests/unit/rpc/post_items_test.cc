#include "rpc/post_items.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace workpool::rpc {
namespace {

// Reads items named by their position; those in `bad` cannot be read.
auto Reader(std::vector<std::uint32_t> bad) {
  return [bad = std::move(bad)](std::uint32_t position, Work& work) -> Result<void> {
    if (std::ranges::find(bad, position) != bad.end()) return Fail(ErrorCode::kBadField, "bad");
    work.handler = "h" + std::to_string(position);
    return {};
  };
}

void ExpectNamesOfPositions(const PostItems& items) {
  for (std::size_t i = 0; i < items.requests.size(); ++i) {
    EXPECT_EQ(items.requests[i].work.handler, "h" + std::to_string(items.positions.Of(i)));
  }
}

TEST(PostItems, BadItemsLeaveTheOthersAtTheirPositions) {
  std::vector<std::uint32_t> refused;
  const PostItems items =
      ConvertItems(0, 6, std::nullopt, Reader({0, 3}),
                   [&](std::uint32_t position, const Error&) { refused.push_back(position); });
  EXPECT_EQ(refused, (std::vector<std::uint32_t>{0, 3}));
  ASSERT_EQ(items.requests.size(), 4U);
  ExpectNamesOfPositions(items);
}

TEST(PostItems, AStretchKnowsItsPlaceInTheMessage) {
  for (const std::uint32_t first : {0U, 3U, 6U}) {
    const PostItems items =
        ConvertItems(first, first + 3, std::nullopt, Reader({4}),
                     [](std::uint32_t position, const Error&) { EXPECT_EQ(position, 4U); });
    ASSERT_EQ(items.requests.size(), first == 3 ? 2U : 3U);
    ExpectNamesOfPositions(items);
  }
}

TEST(PostItems, GoodItemsNeedNoPositions) {
  const auto deadline = SteadyTime::clock::now();
  const PostItems items =
      ConvertItems(0, 3, deadline, Reader({}), [](std::uint32_t, const Error&) { FAIL(); });
  EXPECT_TRUE(items.positions.list.empty());
  EXPECT_EQ(items.positions.Of(2), 2U);
  EXPECT_EQ(items.requests[2].call_deadline, deadline);
}

}  // namespace
}  // namespace workpool::rpc
