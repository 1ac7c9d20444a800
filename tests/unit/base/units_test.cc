#include "base/units.h"

#include <gtest/gtest.h>

namespace workpool {
namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

TEST(ParseDuration, TakesEachUnitAndDecimals) {
  EXPECT_EQ(ParseDuration("7us").value(), 7us);
  EXPECT_EQ(ParseDuration("250ms").value(), 250ms);
  EXPECT_EQ(ParseDuration("30s").value(), 30s);
  EXPECT_EQ(ParseDuration("5m").value(), 5min);
  EXPECT_EQ(ParseDuration("2h").value(), 2h);
  EXPECT_EQ(ParseDuration("7d").value(), 24h * 7);
  EXPECT_EQ(ParseDuration("1.5s").value(), 1500ms);
  EXPECT_EQ(ParseDuration("0s").value(), 0s);
  EXPECT_EQ(ParseDuration("3650d").value(), 24h * 3650);
}

TEST(ParseDuration, RefusesEverythingElseNamingTheRule) {
  for (const char* text :
       {"", "s", "5", "-5s", "+5s", "5 s", "5S", "1.s", ".5s", "1.2.3s", "1e3s", "0x10s", "5sec",
        "3651d", "99999999999999999999d", "nan", "inf", "5s "}) {
    const auto parsed = ParseDuration(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kBadField);
    EXPECT_NE(parsed.error().message.find("us, ms, s, m, h, d"), std::string::npos);
  }
}

TEST(FormatDuration, ReadsBackTheSame) {
  for (const nanoseconds value :
       {nanoseconds(0), nanoseconds(1500), nanoseconds(250ms), nanoseconds(1500ms),
        nanoseconds(90s), nanoseconds(2h), nanoseconds(24h * 30), nanoseconds(1234567us)}) {
    EXPECT_EQ(ParseDuration(FormatDuration(value)).value(), value) << FormatDuration(value);
  }
  EXPECT_EQ(FormatDuration(1500ms), "1.5s");
  EXPECT_EQ(FormatDuration(90s), "90s");
  EXPECT_EQ(FormatDuration(5min), "5m");
}

TEST(ParseSize, TakesEachUnit) {
  EXPECT_EQ(ParseSize("0B").value(), 0u);
  EXPECT_EQ(ParseSize("64KiB").value(), 65536u);
  EXPECT_EQ(ParseSize("4MiB").value(), 4194304u);
  EXPECT_EQ(ParseSize("1TiB").value(), std::uint64_t{1} << 40);
}

TEST(ParseSize, RefusesEverythingElse) {
  for (const char* text : {"", "5", "KiB", "-1B", "1.5MiB", "4MB", "4mib", "99999999999TiB",
                           "99999999999999999999999B"}) {
    const auto parsed = ParseSize(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_NE(parsed.error().message.find("KiB"), std::string::npos);
  }
}

TEST(FormatSize, ReadsBackTheSame) {
  for (const std::uint64_t bytes : {0ULL, 1ULL, 1023ULL, 65536ULL, 3ULL << 20, 1ULL << 40}) {
    EXPECT_EQ(ParseSize(FormatSize(bytes)).value(), bytes);
  }
}

}  // namespace
}  // namespace workpool
