#include "base/name_list.h"

#include <gtest/gtest.h>

#include <string>

namespace workpool {
namespace {

TEST(NameList, QuotesEachName) {
  EXPECT_EQ(NameList({}), "");
  EXPECT_EQ(NameList({"a"}), "\"a\"");
  EXPECT_EQ(NameList({"a", "b"}), "\"a\", \"b\"");
}

TEST(NameList, AfterTenSaysOnlyHowManyMore) {
  const std::vector<std::string_view> names(12, "n");
  const std::string ten = NameList({names.begin(), names.begin() + 10});
  EXPECT_EQ(ten.find("more"), std::string::npos);
  EXPECT_EQ(NameList(names), ten + " and 2 more");
}

TEST(NameList, ShowsWhatIsNoNameAsItMayBePrinted) { EXPECT_EQ(NameList({"a\n"}), "\"a\\x0a\""); }

}  // namespace
}  // namespace workpool
