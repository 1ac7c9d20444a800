#include "base/error.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace workpool {
namespace {

TEST(Error, EveryCodeHasAReasonOfItsOwn) {
  std::set<std::string> reasons;
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    reasons.insert(std::string(ReasonOf(static_cast<ErrorCode>(code))));
  }
  EXPECT_EQ(reasons.size(), static_cast<std::size_t>(ErrorCode::kInternal) + 1);
}

TEST(Error, FailCarriesCodeAndMessage) {
  const Result<int> result = Fail(ErrorCode::kBadField, "priority: 0 to 9");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kBadField);
  EXPECT_EQ(result.error().message, "priority: 0 to 9");
}

}  // namespace
}  // namespace workpool
