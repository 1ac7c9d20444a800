#include "handlers/stderr_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace workpool {
namespace {

using testing::ElementsAre;

class StderrLinesTest : public testing::Test {
 protected:
  std::vector<std::string> seen_;
  StderrLines lines_{[this](std::string_view line) { seen_.emplace_back(line); }, 10};
};

TEST_F(StderrLinesTest, MakesLinesOfPieces) {
  lines_.Write("a");
  lines_.Write("b\nc");
  lines_.Write("\n\nd");
  EXPECT_THAT(seen_, ElementsAre("ab", "c", ""));
  lines_.Finish();
  lines_.Finish();
  EXPECT_THAT(seen_, ElementsAre("ab", "c", "", "d"));
}

TEST_F(StderrLinesTest, LastLineIsTheLastThatIsNotBlank) {
  EXPECT_EQ(lines_.last(), "");
  lines_.Write("first\nsecond\n \t\r\n\n");
  lines_.Finish();
  EXPECT_EQ(lines_.last(), "second");
}

TEST_F(StderrLinesTest, StopsOneLineAfterTheLimitAndStillKnowsTheLast) {
  lines_.Write("12345\n1234567\nover\nlast\n");
  EXPECT_THAT(seen_, ElementsAre("12345", "1234567"));
  EXPECT_EQ(lines_.last(), "last");
}

TEST_F(StderrLinesTest, LimitReachedExactlyIsShownToBePassed) {
  lines_.Write("123456789\n");
  EXPECT_THAT(seen_, ElementsAre("123456789"));
  lines_.Write("one more\nand more\n");
  EXPECT_THAT(seen_, ElementsAre("123456789", "one more"));
}

// What is the last line must not depend on how the text is cut, nor on the limit.
TEST_F(StderrLinesTest, LastLineIsTheSameBeyondTheLimit) {
  const std::string longest(StderrLines::kMaxLine, 'x');
  for (const std::string& text :
       {std::string("a\nb\nc\n"), std::string("a\nb\nc"), std::string("a\n \n\t\r\n"),
        std::string("\n\n\n"), std::string("\na\n\n"), longest + "yz\n\n", "a\n" + longest + "yz\n",
        longest + "\n", "a\nb" + longest + longest + "c \n ", std::string("a  \n"),
        std::string("a\rb\n\r\n")}) {
    for (const std::size_t piece :
         {std::size_t{1}, std::size_t{3}, std::size_t{5000}, text.size()}) {
      StderrLines below([](std::string_view) {}, std::size_t{1} << 30);
      StderrLines beyond([](std::string_view) {}, 0);
      below.Write("first\n");
      beyond.Write("first\n");
      for (std::size_t at = 0; at < text.size(); at += piece) {
        below.Write(std::string_view(text).substr(at, piece));
        beyond.Write(std::string_view(text).substr(at, piece));
      }
      below.Finish();
      beyond.Finish();
      EXPECT_EQ(beyond.last(), below.last()) << text.size() << " by " << piece;
    }
  }
}

TEST_F(StderrLinesTest, LongLineComesInParts) {
  StderrLines lines([this](std::string_view line) { seen_.emplace_back(line); }, 1 << 20);
  lines.Write(std::string(StderrLines::kMaxLine * 2 + 5, 'x') + "\ny\n");
  ASSERT_EQ(seen_.size(), 4U);
  EXPECT_EQ(seen_[0].size(), StderrLines::kMaxLine);
  EXPECT_EQ(seen_[1].size(), StderrLines::kMaxLine);
  EXPECT_EQ(seen_[2], "xxxxx");
  EXPECT_EQ(seen_[3], "y");
}

}  // namespace
}  // namespace workpool
