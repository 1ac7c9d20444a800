#include "app/key_depth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "app/config_reader.h"

namespace workpool {
namespace {

std::string Key(std::size_t parts, const std::string& part = "a") {
  std::string key = part;
  while (--parts > 0) key += "." + part;
  return key;
}

std::string Message(const std::string& text) {
  const auto config = ParseConfig(text, "w.toml", {});
  return config ? "" : config.error().message;
}

constexpr std::size_t kDeep = 50'001;  // more than a stack bears

class DeepKey : public testing::TestWithParam<std::string> {};

TEST_P(DeepKey, IsRefusedWithPlaceAndRule) {
  EXPECT_THAT(Message(GetParam()), testing::MatchesRegex("w.toml:2:[0-9]+: a key has at most 16 "
                                                         "parts with dots between"));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, DeepKey,
    testing::Values("\n[" + Key(kDeep) + "]", "\n[[" + Key(kDeep) + "]]",
                    "\n" + Key(kDeep) + " = 1", "\nx = { " + Key(kDeep) + " = 1 }",
                    "\nx = { y = 1, " + Key(kDeep) + " = 1 }", "\nx = [{ " + Key(kDeep) + " = 1 }]",
                    "\n[" + Key(kDeep, " 'a.b' ") + "]", "\n[" + Key(kDeep, "\"\\\"\"") + "]",
                    "\n[" + Key(kDeep), "\nx = \"\"\"\"\"\"\"\"" + Key(kDeep) + " = 1",
                    "\nx = 'y' " + Key(kDeep) + " = 1"));

TEST(KeyDepth, CountsThePartsOfOneKey) {
  EXPECT_FALSE(FindDeepKey("[" + Key(kMaxKeyParts) + "]\n" + Key(kMaxKeyParts) + " = 1.5\n"));
  EXPECT_FALSE(
      FindDeepKey("x = [1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, "
                  "1.5, 1.5, 1.5, 1.5, 1.5]"));
  EXPECT_EQ(FindDeepKey("[" + Key(kMaxKeyParts + 1) + "]"), (Position{1, 33}));
  EXPECT_EQ(FindDeepKey("\n\n'\xd0\xb6'." + Key(kMaxKeyParts)), (Position{3, 34}));
}

TEST(KeyDepth, LeavesStringsAndCommentsAlone) {
  const std::string dots(50, '.');
  for (const std::string& text :
       {"# " + dots, "x = \"" + dots + "\"", "x = '" + dots + "'", "x = \"\\\"" + dots + "\"",
        "x = \"\"\"\n\"" + dots + "\\\"\"\"" + dots + "\"\"\"\"\"",
        "x = '''\n''" + dots + "\\'''\ny = 1", "['" + dots + "']"}) {
    EXPECT_FALSE(FindDeepKey(text)) << text;
  }
}

TEST(KeyDepth, DeepestNestingOfLongKeysIsRefusedOrRead) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += Key(kMaxKeyParts) + " = { ";
  EXPECT_NE(Message(text), "");
}

}  // namespace
}  // namespace workpool
