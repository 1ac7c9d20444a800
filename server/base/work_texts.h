// The rules for the names and texts of a post. The daemon refuses what breaks them; the clients do
// so before, with the same words.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "base/error.h"

namespace workpool {

inline constexpr std::size_t kMaxMetadataPairs = 64;
inline constexpr std::size_t kMaxMetadataBytes = 16 * 1024;
inline constexpr std::size_t kMaxShortText = 100;  // caller, content type

// Refers to a post's own; for the time of a call.
struct WorkTexts {
  std::string_view handler;
  std::string_view pool;  // may be empty: the handler's
  std::string_view caller;
  std::string_view content_type;
  const std::map<std::string, std::string>& metadata;
};

// On failure kBadField; the message names the field and the rule.
Result<void> CheckWorkTexts(const WorkTexts& texts);
// The same for all but the names of handler and pool, of which the caller knows that they are good.
Result<void> CheckTextsBesideNames(const WorkTexts& texts);

}  // namespace workpool
