#include "rpc/filter_from_proto.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "base/names.h"
#include "rpc/time_convert.h"

namespace workpool::rpc {
namespace {

std::optional<JobState> StateFromProto(int state) {
  switch (state) {
    case v1::JOB_STATE_SCHEDULED: return JobState::kScheduled;
    case v1::JOB_STATE_RETRYING: return JobState::kRetrying;
    case v1::JOB_STATE_QUEUED: return JobState::kQueued;
    case v1::JOB_STATE_ACTIVE: return JobState::kActive;
    case v1::JOB_STATE_SUCCEEDED: return JobState::kSucceeded;
    case v1::JOB_STATE_DEAD: return JobState::kDead;
    case v1::JOB_STATE_CANCELLED: return JobState::kCancelled;
    case v1::JOB_STATE_EXPIRED: return JobState::kExpired;
    default: return std::nullopt;
  }
}

Result<void> ReadName(std::string_view field, const std::string& name, std::string& out) {
  if (name.empty()) return {};
  if (auto ok = CheckName(field, name); !ok) return ok;
  out = name;
  return {};
}

Result<void> ReadStates(const v1::JobFilter& filter, JobFilter& out) {
  for (const int number : filter.states()) {
    const auto state = StateFromProto(number);
    if (!state) {
      return Fail(ErrorCode::kBadField,
                  fmt::format("filter.states: {} is not a state of a job", number));
    }
    out.states.push_back(*state);
  }
  return {};
}

Result<void> ReadInstant(std::string_view field, const google::protobuf::Timestamp& timestamp,
                         std::optional<WallTime>& out) {
  auto instant = FromProto(field, timestamp);
  if (!instant) return std::unexpected(std::move(instant.error()));
  out = *instant;
  return {};
}

Result<void> Bad(const char* message) { return Fail(ErrorCode::kBadField, message); }

Result<void> CheckOneTarget(const v1::CancelJobsRequest& request, bool filtered) {
  if (request.ids_size() > 0 && filtered) return Bad("filter: not allowed beside ids");
  if (request.all() && request.ids_size() > 0) return Bad("all: not allowed beside ids");
  if (request.all() && filtered) return Bad("all: not allowed beside a filter");
  if (!request.all() && request.ids_size() == 0 && !filtered) {
    return Bad("filter: empty; set ids or a filter, or `all` for every unfinished job");
  }
  return {};
}

}  // namespace

Result<JobFilter> FilterFromProto(const v1::JobFilter& filter) {
  Result<JobFilter> out;
  Result<void> ok = ReadName("filter.pool", filter.pool(), out->pool);
  if (ok) ok = ReadName("filter.handler", filter.handler(), out->handler);
  if (ok) ok = ReadStates(filter, *out);
  if (ok && filter.has_accepted_after()) {
    ok = ReadInstant("filter.accepted_after", filter.accepted_after(), out->accepted_after);
  }
  if (ok && filter.has_accepted_before()) {
    ok = ReadInstant("filter.accepted_before", filter.accepted_before(), out->accepted_before);
  }
  if (!ok) return std::unexpected(std::move(ok.error()));
  return out;
}

Result<CancelTarget> TargetFromProto(const v1::CancelJobsRequest& request) {
  auto filter = FilterFromProto(request.filter());
  if (!filter) return std::unexpected(std::move(filter.error()));
  const bool filtered = !filter->Empty();
  if (auto ok = CheckOneTarget(request, filtered); !ok) {
    return std::unexpected(std::move(ok.error()));
  }
  return CancelTarget{
      {request.ids().begin(), request.ids().end()}, std::move(*filter), request.all()};
}

}  // namespace workpool::rpc
