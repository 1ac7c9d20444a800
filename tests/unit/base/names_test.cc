#include "base/names.h"

#include <gtest/gtest.h>

#include <array>

namespace workpool {
namespace {

using namespace std::string_view_literals;

TEST(CheckName, TakesNamesUpToTheLimit) {
  for (const std::string& name :
       {std::string("a"), std::string("7z"), std::string("a.b_c-D9"), std::string(100, 'x')}) {
    EXPECT_TRUE(CheckName("handler", name).has_value()) << name;
  }
}

// Case 45.
TEST(CheckName, RefusesOddNamesWithFieldAndRule) {
  for (const std::string& name :
       {std::string(), std::string(300, 'x'), std::string("../x"), std::string("a\0b", 3),
        std::string("\xD0\xB8\xD0\xBC\xD1\x8F"), std::string("\xF0\x9F\x98\x80"),
        std::string("a\r\nb"), std::string("-a"), std::string("a b"), std::string("\xFF")}) {
    const auto checked = CheckName("handler", name);
    ASSERT_FALSE(checked.has_value());
    EXPECT_EQ(checked.error().code, ErrorCode::kBadField);
    EXPECT_TRUE(checked.error().message.starts_with("handler: "));
    EXPECT_NE(checked.error().message.find("1 to 100 of [A-Za-z0-9._-]"), std::string::npos);
    EXPECT_EQ(ToValidUtf8(checked.error().message, 1000), checked.error().message);
  }
}

TEST(IsValidUtf8, TakesWhatToValidUtf8Keeps) {
  for (const auto text : {""sv, "plain"sv, "h\xC3\xA9llo \xF0\x9F\x98\x80"sv}) {
    EXPECT_TRUE(IsValidUtf8(text)) << text;
  }
  for (const auto bytes : {"a\0b"sv, "\xC0\x80"sv, "\xED\xA0\x80"sv, "x\xE2\x82"sv, "\xff"sv}) {
    EXPECT_FALSE(IsValidUtf8(bytes)) << Printable(bytes);
  }
}

// Plain text is looked at by eights: what is wrong is found at each place of them.
TEST(IsValidUtf8, FindsABadByteWhereverItIs) {
  for (std::size_t size = 1; size <= 20; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, '\x01');
      EXPECT_TRUE(IsValidUtf8(text));
      for (const char bad : {'\0', '\x80', '\xFF'}) {
        text[at] = bad;
        EXPECT_FALSE(IsValidUtf8(text)) << Printable(text);
      }
    }
  }
}

TEST(ToValidUtf8, KeepsValidTextAndReplacesTheRest) {
  EXPECT_EQ(ToValidUtf8("h\xC3\xA9llo \xF0\x9F\x98\x80", 100), "h\xC3\xA9llo \xF0\x9F\x98\x80");
  EXPECT_EQ(ToValidUtf8("a\0b"sv, 100),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(ToValidUtf8("\xC0\x80", 100), "\xEF\xBF\xBD\xEF\xBF\xBD");           // overlong
  EXPECT_EQ(ToValidUtf8("\xED\xA0\x80", 100).substr(0, 3), "\xEF\xBF\xBD");      // surrogate
  EXPECT_EQ(ToValidUtf8("\xF4\x90\x80\x80", 100).substr(0, 3), "\xEF\xBF\xBD");  // too high
  EXPECT_EQ(ToValidUtf8("x\xE2\x82", 100), "x\xEF\xBF\xBD\xEF\xBF\xBD");         // cut short
}

TEST(ToValidUtf8, CutsOnACharacterBoundary) {
  EXPECT_EQ(ToValidUtf8("ab\xC3\xA9", 3), "ab");
  EXPECT_EQ(ToValidUtf8(std::string(1 << 20, 'x'), 10), "xxxxxxxxxx");
}

TEST(Printable, EscapesAndCuts) {
  EXPECT_EQ(Printable("a\r\n\x01"), "a\\x0d\\x0a\\x01");
  EXPECT_EQ(Printable(std::string(300, 'x')), std::string(64, 'x') + "...");
}

TEST(Nearest, FindsASlipAndNothingElse) {
  const std::array<std::string_view, 3> keys{"workers", "capacity", "when_full"};
  EXPECT_EQ(Nearest("worker", keys.begin(), keys.end()), "workers");
  EXPECT_EQ(Nearest("capcity", keys.begin(), keys.end()), "capacity");
  EXPECT_EQ(Nearest("zzzzzz", keys.begin(), keys.end()), "");
}

}  // namespace
}  // namespace workpool
