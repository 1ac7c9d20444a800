// The protocol's encoding, as far as the client reads and writes it by itself: a message is a list
// of fields, each a tag and then a number or a length and so many bytes.
#pragma once

#include <cstdint>
#include <string_view>

namespace workpool::client {

// What follows a field's tag.
enum class Wire : std::uint32_t { kNumber = 0, kLength = 2 };

constexpr std::uint32_t TagOf(int field, Wire wire) {
  return static_cast<std::uint32_t>(field) << 3 | static_cast<std::uint32_t>(wire);
}

// Cuts a number off the front of `from`. False, with `from` spoilt, if there is none.
inline bool CutNumber(std::string_view& from, std::uint64_t& number) {
  number = 0;
  for (unsigned shift = 0; shift < 64 && !from.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(from.front());
    from.remove_prefix(1);
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

}  // namespace workpool::client
