#include "rpc/time_convert.h"

#include <fmt/format.h>

#include <algorithm>

namespace workpool::rpc {
namespace {

constexpr std::int64_t kNanos = 1'000'000'000;
constexpr std::chrono::seconds kLongest = std::chrono::hours(24 * 3650);
// The bounds that timestamp.proto sets: 0001-01-01 and 9999-12-31.
constexpr std::int64_t kFirstSecond = -62'135'596'800;
constexpr std::int64_t kLastSecond = 253'402'300'799;

}  // namespace

Result<std::chrono::nanoseconds> FromProto(std::string_view field,
                                           const google::protobuf::Duration& duration) {
  const bool valid = duration.seconds() >= 0 && duration.nanos() >= 0 && duration.nanos() < kNanos;
  if (!valid || duration.seconds() >= kLongest.count()) {
    return Fail(ErrorCode::kBadField,
                fmt::format("{}: {} s and {} ns is not a duration from 0 to 3650 days", field,
                            duration.seconds(), duration.nanos()));
  }
  return std::chrono::seconds(duration.seconds()) + std::chrono::nanoseconds(duration.nanos());
}

Result<WallTime> FromProto(std::string_view field, const google::protobuf::Timestamp& timestamp) {
  if (timestamp.seconds() < kFirstSecond || timestamp.seconds() > kLastSecond ||
      timestamp.nanos() < 0 || timestamp.nanos() >= kNanos) {
    return Fail(ErrorCode::kBadField,
                fmt::format("{}: {} s and {} ns is not an instant of the years 1 to 9999", field,
                            timestamp.seconds(), timestamp.nanos()));
  }
  const std::int64_t last = WallTime::max().time_since_epoch() / std::chrono::seconds(1) - 1;
  if (timestamp.seconds() > last) return WallTime::max();
  if (timestamp.seconds() < -last) return WallTime::min();
  return WallTime(std::chrono::duration_cast<WallTime::duration>(
      std::chrono::seconds(timestamp.seconds()) + std::chrono::nanoseconds(timestamp.nanos())));
}

void ToProto(std::chrono::nanoseconds duration, google::protobuf::Duration& out) {
  out.set_seconds(duration.count() / kNanos);
  out.set_nanos(static_cast<std::int32_t>(duration.count() % kNanos));
}

void ToProto(WallTime instant, google::protobuf::Timestamp& out) {
  const auto since =
      std::chrono::duration_cast<std::chrono::nanoseconds>(instant.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  out.set_seconds(seconds.count());
  out.set_nanos(static_cast<std::int32_t>((since - seconds).count()));
}

std::optional<SteadyTime> ToSteady(std::chrono::system_clock::time_point deadline) {
  if (deadline == std::chrono::system_clock::time_point::max()) return std::nullopt;
  const auto left = deadline - std::chrono::system_clock::now();
  if (left > kLongest) return std::nullopt;
  return SteadyTime::clock::now() + std::max<std::chrono::nanoseconds>(left, -kLongest);
}

}  // namespace workpool::rpc
