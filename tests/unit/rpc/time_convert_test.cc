#include "rpc/time_convert.h"

#include <gtest/gtest.h>

#include <chrono>

namespace workpool::rpc {
namespace {

using namespace std::chrono_literals;

google::protobuf::Duration Duration(std::int64_t seconds, std::int32_t nanos) {
  google::protobuf::Duration duration;
  duration.set_seconds(seconds);
  duration.set_nanos(nanos);
  return duration;
}

google::protobuf::Timestamp Instant(std::int64_t seconds, std::int32_t nanos) {
  google::protobuf::Timestamp instant;
  instant.set_seconds(seconds);
  instant.set_nanos(nanos);
  return instant;
}

TEST(TimeConvert, DurationsComeAcrossExactly) {
  EXPECT_EQ(FromProto("timeout", Duration(0, 0)), 0ns);
  EXPECT_EQ(FromProto("timeout", Duration(1, 500'000'001)), 1'500'000'001ns);
  EXPECT_EQ(FromProto("timeout", Duration(3650LL * 86400 - 1, 999'999'999)), 24h * 3650 - 1ns);
}

TEST(TimeConvert, AbsurdDurationsAreRefusedByName) {
  for (const auto& bad :
       {Duration(-1, 0), Duration(0, -1), Duration(0, 1'000'000'000), Duration(3650LL * 86400, 0),
        Duration(INT64_MAX, 0), Duration(INT64_MIN, INT32_MIN)}) {
    const auto result = FromProto("wait_timeout", bad);
    ASSERT_FALSE(result) << bad.ShortDebugString();
    EXPECT_EQ(result.error().code, ErrorCode::kBadField);
    EXPECT_EQ(result.error().message.find("wait_timeout: "), 0U) << result.error().message;
    EXPECT_NE(result.error().message.find("3650 days"), std::string::npos);
  }
}

TEST(TimeConvert, InstantsComeAcrossExactlyAndBack) {
  for (const auto& [seconds, nanos] :
       {std::pair{0LL, 0}, {1'700'000'000LL, 123'456'789}, {-1LL, 999'999'999}}) {
    const auto instant = FromProto("accepted_after", Instant(seconds, nanos));
    ASSERT_TRUE(instant);
    google::protobuf::Timestamp back;
    ToProto(*instant, back);
    EXPECT_EQ(back.seconds(), seconds);
    EXPECT_EQ(back.nanos(), nanos);
  }
}

TEST(TimeConvert, InstantsThatTheClockCannotHoldBecomeItsEnds) {
  EXPECT_EQ(FromProto("accepted_after", Instant(253'402'300'799, 0)), WallTime::max());
  EXPECT_EQ(FromProto("accepted_after", Instant(-62'135'596'800, 0)), WallTime::min());
}

TEST(TimeConvert, InvalidInstantsAreRefusedByName) {
  for (const auto& bad : {Instant(253'402'300'800, 0), Instant(-62'135'596'801, 0), Instant(0, -1),
                          Instant(0, 1'000'000'000), Instant(INT64_MAX, INT32_MAX)}) {
    const auto result = FromProto("filter.accepted_after", bad);
    ASSERT_FALSE(result) << bad.ShortDebugString();
    EXPECT_EQ(result.error().code, ErrorCode::kBadField);
    EXPECT_EQ(result.error().message.find("filter.accepted_after: "), 0U);
  }
}

TEST(TimeConvert, DeadlinesKeepTheirDistance) {
  EXPECT_FALSE(ToSteady(std::chrono::system_clock::time_point::max()));
  const auto before = SteadyTime::clock::now();
  const auto deadline = ToSteady(std::chrono::system_clock::now() + 10s);
  const auto after = SteadyTime::clock::now();
  ASSERT_TRUE(deadline);
  EXPECT_GT(*deadline, before + 9s);
  EXPECT_LE(*deadline, after + 10s);
  EXPECT_LT(*ToSteady(std::chrono::system_clock::now() - 10s), before);
  EXPECT_FALSE(ToSteady(std::chrono::system_clock::now() + 24h * 36500));
}

}  // namespace
}  // namespace workpool::rpc
