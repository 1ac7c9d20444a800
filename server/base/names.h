// The rules for names and texts that come from outside.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace workpool {

// 1 to 100 of [A-Za-z0-9._-], starting with a letter or digit: pools and handlers. On failure
// kBadField; the message names `field`, the offending value (made printable, cut) and the rule.
Result<void> CheckName(std::string_view field, std::string_view name);

// True for valid UTF-8 without NUL.
bool IsValidUtf8(std::string_view text);

// The same bytes with everything that is not valid UTF-8, and NUL, replaced by U+FFFD, cut to at
// most `max_bytes` on a character boundary.
std::string ToValidUtf8(std::string_view bytes, std::size_t max_bytes);

// For messages and logs: control characters escaped, valid UTF-8, cut to 64 characters.
std::string Printable(std::string_view bytes);

// The candidate nearest to `word` by edit distance, or empty if none is near.
std::string_view Nearest(std::string_view word, const std::string_view* begin,
                         const std::string_view* end);

}  // namespace workpool
