// Dotted keys of TOML text, before it is parsed.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "app/problems.h"

namespace workpool {

// The parser bounds how deep values nest, but each part of `[a.b.c]` or `a.b.c = 1` makes a table
// too, and each table costs stack when it is read and when it goes. A config needs four.
inline constexpr std::size_t kMaxKeyParts = 16;

// Where the first key with more parts than that, in a header or not, has the first one too many.
// Of text that is no TOML it answers anything, but never less than the parser gets to see.
std::optional<Position> FindDeepKey(std::string_view text);

}  // namespace workpool
