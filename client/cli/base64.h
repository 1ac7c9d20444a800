// Base64 with padding (RFC 4648), for bytes that JSON cannot carry.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace workpool::cli {

std::string ToBase64(std::string_view bytes);

// Nothing if `text` is not base64 with its padding.
std::optional<std::string> FromBase64(std::string_view text);

}  // namespace workpool::cli
