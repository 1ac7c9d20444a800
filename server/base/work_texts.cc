#include "base/work_texts.h"

#include "base/names.h"

namespace workpool {
namespace {

std::unexpected<Error> Broken(std::string message) {
  return Fail(ErrorCode::kBadField, std::move(message));
}

std::string AtMost(std::string_view field, std::size_t is, std::string_view unit,
                   std::size_t most) {
  return std::string(field) + ": " + std::to_string(is) + " " + std::string(unit) + ", at most " +
         std::to_string(most);
}

Result<void> CheckUtf8(std::string_view field, std::string_view text) {
  if (text.empty() || IsValidUtf8(text)) return {};
  return Broken(std::string(field) + ": \"" + Printable(text) + "\" is not valid UTF-8");
}

Result<void> CheckShort(std::string_view field, std::string_view text) {
  if (text.size() > kMaxShortText) {
    return Broken(AtMost(field, text.size(), "bytes", kMaxShortText));
  }
  return CheckUtf8(field, text);
}

Result<void> CheckMetadata(const std::map<std::string, std::string>& metadata) {
  if (metadata.size() > kMaxMetadataPairs) {
    return Broken(AtMost("metadata", metadata.size(), "pairs", kMaxMetadataPairs));
  }
  std::size_t bytes = 0;
  for (const auto& [key, value] : metadata) {
    bytes += key.size() + value.size();
    if (key.empty()) return Broken("metadata: a key is empty");
    if (auto checked = CheckUtf8("metadata", key); !checked) return checked;
    if (!IsValidUtf8(value)) {
      return CheckUtf8("metadata: " + Printable(key), value);
    }
  }
  if (bytes > kMaxMetadataBytes) {
    return Broken(AtMost("metadata", bytes, "bytes", kMaxMetadataBytes));
  }
  return {};
}

}  // namespace

Result<void> CheckWorkTexts(const WorkTexts& texts) {
  if (auto checked = CheckName("handler", texts.handler); !checked) return checked;
  if (!texts.pool.empty()) {
    if (auto checked = CheckName("pool", texts.pool); !checked) return checked;
  }
  return CheckTextsBesideNames(texts);
}

Result<void> CheckTextsBesideNames(const WorkTexts& texts) {
  if (auto checked = CheckShort("content_type", texts.content_type); !checked) return checked;
  if (auto checked = CheckShort("caller", texts.caller); !checked) return checked;
  return CheckMetadata(texts.metadata);
}

}  // namespace workpool
