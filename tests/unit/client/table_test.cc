#include "table.h"

#include <gtest/gtest.h>

namespace workpool::cli {
namespace {

TEST(TableTest, AlignsColumns) {
  Table table({{"NAME"}, {"N", Align::kRight}, {"STATE"}});
  table.Add({"a", "1", "serving"});
  table.Add({"longer", "1000", ""});
  EXPECT_EQ(table.Text(),
            "NAME       N  STATE\n"
            "a          1  serving\n"
            "longer  1000\n");
}

TEST(TableTest, CountsLettersNotBytes) {
  Table table({{"NAME"}, {"N"}});
  table.Add({"é", "1"});
  table.Add({"ab", "2"});
  EXPECT_EQ(table.Text(), "NAME  N\né     1\nab    2\n");
}

}  // namespace
}  // namespace workpool::cli
