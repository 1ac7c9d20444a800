// Durations, instants and deadlines between protobuf, gRPC and std::chrono.
#pragma once

#include <google/protobuf/duration.pb.h>
#include <google/protobuf/timestamp.pb.h>

#include <chrono>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"

namespace workpool::rpc {

// 0 to 3650 days; else kBadField naming `field` and the rule.
Result<std::chrono::nanoseconds> FromProto(std::string_view field,
                                           const google::protobuf::Duration& duration);

// Any valid Timestamp (years 1 to 9999); what the clock cannot hold becomes its first or last
// instant. kBadField naming `field` if it is not valid.
Result<WallTime> FromProto(std::string_view field, const google::protobuf::Timestamp& timestamp);

void ToProto(std::chrono::nanoseconds duration, google::protobuf::Duration& out);
void ToProto(WallTime instant, google::protobuf::Timestamp& out);

// A call's deadline on the monotonic clock; nothing if the caller set none.
std::optional<SteadyTime> ToSteady(std::chrono::system_clock::time_point deadline);

}  // namespace workpool::rpc
