#include "jobs/post_check.h"

#include <fmt/format.h>

#include "base/names.h"

namespace workpool {
namespace {

bool IsValidText(std::string_view text) { return ToValidUtf8(text, text.size()) == text; }

Result<void> CheckText(std::string_view field, std::string_view text) {
  if (text.size() > kMaxShortText) {
    return Fail(ErrorCode::kBadField,
                fmt::format("{}: {} bytes, at most {}", field, text.size(), kMaxShortText));
  }
  if (!IsValidText(text)) {
    return Fail(ErrorCode::kBadField,
                fmt::format("{}: \"{}\" is not valid UTF-8", field, Printable(text)));
  }
  return {};
}

Result<void> CheckDuration(std::string_view field,
                           const std::optional<std::chrono::nanoseconds>& value) {
  if (!value || (value->count() > 0 && *value <= kMaxDuration)) return {};
  return Fail(ErrorCode::kBadField,
              fmt::format("{}: must be above 0 and at most 3650 days", field));
}

Result<void> CheckMetadata(const Metadata& metadata) {
  if (metadata.size() > kMaxMetadataPairs) {
    return Fail(ErrorCode::kBadField,
                fmt::format("metadata: {} pairs, at most {}", metadata.size(), kMaxMetadataPairs));
  }
  std::size_t bytes = 0;
  for (const auto& [key, value] : metadata) {
    bytes += key.size() + value.size();
    if (key.empty()) return Fail(ErrorCode::kBadField, "metadata: a key is empty");
    if (!IsValidText(key) || !IsValidText(value)) {
      return Fail(ErrorCode::kBadField,
                  fmt::format("metadata: \"{}\" is not valid UTF-8", Printable(key)));
    }
  }
  if (bytes > kMaxMetadataBytes) {
    return Fail(ErrorCode::kBadField,
                fmt::format("metadata: {} bytes, at most {}", bytes, kMaxMetadataBytes));
  }
  return {};
}

Result<void> CheckFields(const Work& work, std::uint64_t max_payload) {
  if (work.priority < 0 || work.priority >= kPriorities) {
    return Fail(ErrorCode::kBadField,
                fmt::format("priority: {} is not within 0 to {}", work.priority, kPriorities - 1));
  }
  if (work.payload.size() > max_payload) {
    return Fail(ErrorCode::kPayloadTooLarge,
                fmt::format("payload: {} bytes, at most {}", work.payload.size(), max_payload));
  }
  if (auto checked = CheckText("content_type", work.content_type); !checked) return checked;
  if (auto checked = CheckText("caller", work.caller); !checked) return checked;
  if (auto checked = CheckDuration("timeout", work.timeout); !checked) return checked;
  if (auto checked = CheckDuration("wait_timeout", work.wait_timeout); !checked) return checked;
  return CheckMetadata(work.metadata);
}

}  // namespace

Result<Route> CheckWork(const Work& work, const Routes& routes) {
  if (Result<void> name = CheckName("handler", work.handler); !name) {
    return std::unexpected(name.error());
  }
  if (!work.pool.empty()) {
    if (Result<void> name = CheckName("pool", work.pool); !name) {
      return std::unexpected(name.error());
    }
  }
  if (Result<void> fields = CheckFields(work, routes.max_payload); !fields) {
    return std::unexpected(fields.error());
  }
  return routes.Resolve(work.handler, work.pool);
}

}  // namespace workpool
