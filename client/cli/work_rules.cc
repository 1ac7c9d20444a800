#include "work_rules.h"

#include <fmt/format.h>

#include "base/names.h"

namespace workpool::cli {

namespace {

using Failure = std::optional<std::string>;

constexpr std::size_t kMaxShortText = 100;
constexpr std::size_t kMaxMetadataPairs = 64;
constexpr std::size_t kMaxMetadataBytes = 16 * 1024;

Failure CheckUtf8(std::string_view field, std::string_view text) {
  if (ToValidUtf8(text, text.size()) == text) return {};
  return fmt::format("{}: \"{}\" is not valid UTF-8", field, Printable(text));
}

Failure CheckShort(std::string_view field, std::string_view text) {
  if (text.size() > kMaxShortText) {
    return fmt::format("{}: {} bytes, at most {}", field, text.size(), kMaxShortText);
  }
  return CheckUtf8(field, text);
}

Failure CheckNamed(std::string_view field, std::string_view name) {
  const auto checked = CheckName(field, name);
  return checked ? Failure() : checked.error().message;
}

Failure CheckMetadata(const client::Work& work) {
  if (work.metadata.size() > kMaxMetadataPairs) {
    return fmt::format("metadata: {} pairs, at most {}", work.metadata.size(), kMaxMetadataPairs);
  }
  std::size_t bytes = 0;
  for (const auto& [key, value] : work.metadata) {
    bytes += key.size() + value.size();
    if (key.empty()) return "metadata: a key is empty";
    if (auto failure = CheckUtf8("metadata", key)) return failure;
    if (auto failure = CheckUtf8(fmt::format("metadata: {}", Printable(key)), value)) {
      return failure;
    }
  }
  if (bytes <= kMaxMetadataBytes) return {};
  return fmt::format("metadata: {} bytes, at most {}", bytes, kMaxMetadataBytes);
}

}  // namespace

Failure BrokenRule(const client::Work& work) {
  if (auto failure = CheckNamed("handler", work.handler)) return failure;
  if (!work.pool.empty()) {
    if (auto failure = CheckNamed("pool", work.pool)) return failure;
  }
  if (auto failure = CheckShort("caller", work.caller)) return failure;
  if (auto failure = CheckShort("content_type", work.content_type)) return failure;
  return CheckMetadata(work);
}

}  // namespace workpool::cli
