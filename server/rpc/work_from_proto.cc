#include "rpc/work_from_proto.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "rpc/time_convert.h"

namespace workpool::rpc {
namespace {

// Empty if all that is set is served.
std::string_view FirstNotServed(const v1::Work& work) {
  if (work.has_run_at()) return "run_at";
  if (work.has_delay()) return "delay";
  if (work.has_queue_ttl()) return "queue_ttl";
  if (work.has_backoff()) return "backoff";
  if (!work.unique_key().empty()) return "unique_key";
  if (work.has_unique_for()) return "unique_for";
  return {};
}

Result<void> CheckMaxAttempts(const v1::Work& work) {
  if (!work.has_max_attempts() || work.max_attempts() == 1) return {};
  if (work.max_attempts() == 0) {
    return Fail(ErrorCode::kBadField, "max_attempts: 0 is not allowed, it is at least 1");
  }
  return Fail(ErrorCode::kNotServed,
              fmt::format("max_attempts: {} is not served by this version, only 1 is",
                          work.max_attempts()));
}

Result<void> CheckServed(const v1::Work& work) {
  const std::string_view field = FirstNotServed(work);
  if (!field.empty()) {
    return Fail(ErrorCode::kNotServed, fmt::format("{}: not served by this version", field));
  }
  return CheckMaxAttempts(work);
}

Result<std::optional<WhenFull>> WhenFullFromProto(v1::WhenFull when_full) {
  switch (when_full) {
    case v1::WHEN_FULL_UNSPECIFIED: return std::nullopt;
    case v1::WHEN_FULL_REJECT: return WhenFull::kReject;
    case v1::WHEN_FULL_WAIT: return WhenFull::kWait;
    default: break;
  }
  return Fail(ErrorCode::kBadField,
              fmt::format("when_full: {} is not a value of WhenFull", static_cast<int>(when_full)));
}

Result<void> ReadChoices(const v1::Work& from, Work& to) {
  auto when_full = WhenFullFromProto(from.when_full());
  if (!when_full) return std::unexpected(std::move(when_full.error()));
  to.when_full = *when_full;
  if (from.has_priority()) {
    to.priority =
        static_cast<int>(std::min<std::uint32_t>(from.priority(), std::numeric_limits<int>::max()));
  }
  if (from.has_weight()) to.weight = from.weight();
  if (from.has_timeout()) {
    auto timeout = FromProto("timeout", from.timeout());
    if (!timeout) return std::unexpected(std::move(timeout.error()));
    to.timeout = *timeout;
  }
  if (from.has_wait_timeout()) {
    auto wait_timeout = FromProto("wait_timeout", from.wait_timeout());
    if (!wait_timeout) return std::unexpected(std::move(wait_timeout.error()));
    to.wait_timeout = *wait_timeout;
  }
  return {};
}

}  // namespace

Result<void> ReadWork(v1::Work& from, Work& to) {
  if (auto ok = CheckServed(from); !ok) return ok;
  if (auto ok = ReadChoices(from, to); !ok) return ok;
  // What mutable_ is asked for comes into being, even if it is empty.
  if (!from.handler().empty()) to.handler = std::move(*from.mutable_handler());
  if (!from.pool().empty()) to.pool = std::move(*from.mutable_pool());
  if (!from.payload().empty()) to.payload = std::move(*from.mutable_payload());
  if (!from.content_type().empty()) to.content_type = std::move(*from.mutable_content_type());
  if (!from.caller().empty()) to.caller = std::move(*from.mutable_caller());
  if (from.metadata_size() > 0) {
    for (auto& [key, value] : *from.mutable_metadata()) {
      to.metadata.emplace(key, std::move(value));
    }
  }
  return {};
}

Result<Work> WorkFromProto(v1::Work& work) {
  Result<Work> result;
  if (auto ok = ReadWork(work, *result); !ok) return std::unexpected(std::move(ok.error()));
  return result;
}

}  // namespace workpool::rpc
