#include "base/work_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workpool {
namespace {

using ::testing::HasSubstr;
using Metadata = std::map<std::string, std::string>;

std::string Broken(const WorkTexts& texts) {
  const auto checked = CheckWorkTexts(texts);
  if (checked) return "";
  EXPECT_EQ(checked.error().code, ErrorCode::kBadField);
  return checked.error().message;
}

const Metadata kNone;

TEST(WorkTextsTest, PlainOnesKeepTheRules) {
  const std::string longest(kMaxShortText, 'c');
  const Metadata metadata = {{"k\xc3\xa4se", "w\xc3\xb6rt"}, {"empty", ""}};
  EXPECT_EQ(Broken({.handler = "echo",
                    .pool = "",
                    .caller = longest,
                    .content_type = longest,
                    .metadata = metadata}),
            "");
}

TEST(WorkTextsTest, NamesTheFieldThatIsBroken) {
  const std::string too_long(kMaxShortText + 1, 'c');
  EXPECT_THAT(
      Broken({.handler = "", .pool = "", .caller = "", .content_type = "", .metadata = kNone}),
      HasSubstr("handler: "));
  EXPECT_THAT(
      Broken({.handler = "e", .pool = "-", .caller = "", .content_type = "", .metadata = kNone}),
      HasSubstr("pool: "));
  EXPECT_EQ(
      Broken(
          {.handler = "e", .pool = "", .caller = too_long, .content_type = "", .metadata = kNone}),
      "caller: 101 bytes, at most 100");
  EXPECT_EQ(
      Broken({.handler = "e", .pool = "", .caller = "", .content_type = "\xff", .metadata = kNone}),
      "content_type: \"\\xff\" is not valid UTF-8");
}

std::string BrokenMetadata(const Metadata& metadata) {
  return Broken(
      {.handler = "e", .pool = "", .caller = "", .content_type = "", .metadata = metadata});
}

TEST(WorkTextsTest, MetadataIsBoundedAndValid) {
  Metadata many;
  for (std::size_t i = 0; i <= kMaxMetadataPairs; ++i) many[std::to_string(i)] = "v";
  EXPECT_EQ(BrokenMetadata(many), "metadata: 65 pairs, at most 64");
  EXPECT_EQ(BrokenMetadata({{"k", std::string(kMaxMetadataBytes, 'v')}}),
            "metadata: 16385 bytes, at most 16384");
  EXPECT_EQ(BrokenMetadata({{"", "v"}}), "metadata: a key is empty");
  EXPECT_EQ(BrokenMetadata({{"k\xc3", "v"}}), "metadata: \"k\\xc3\" is not valid UTF-8");
  EXPECT_EQ(BrokenMetadata({{"k", "\xc3"}}), "metadata: k: \"\\xc3\" is not valid UTF-8");
}

}  // namespace
}  // namespace workpool
