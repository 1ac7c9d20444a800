// The protocol's encoding, as far as the client and the server read and write it by themselves: a
// message is a list of fields, each a tag and then a number or a length and so many bytes. What it
// is used for is read and written for every job; all else goes through the generated classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace workpool {

// What follows a field's tag.
enum class Wire : std::uint32_t { kNumber = 0, kEightBytes = 1, kLength = 2, kFourBytes = 5 };

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

// The same for a length and so many bytes, which refer to `from`'s.
inline bool CutBytes(std::string_view& from, std::string_view& bytes) {
  std::uint64_t length = 0;
  if (!CutNumber(from, length) || length > from.size()) return false;
  bytes = from.substr(0, length);
  from.remove_prefix(length);
  return true;
}

// Cuts off what follows the tag of a field that the reader does not know. False also for a tag that
// is none.
inline bool SkipField(std::string_view& from, std::uint64_t tag) {
  if (tag < 8 || tag > 0xFFFF'FFFF) return false;
  std::uint64_t number = 0;
  std::string_view bytes;
  switch (static_cast<Wire>(tag & 7)) {
    case Wire::kNumber: return CutNumber(from, number);
    case Wire::kLength: return CutBytes(from, bytes);
    case Wire::kEightBytes:
    case Wire::kFourBytes: {
      const std::size_t size = static_cast<Wire>(tag & 7) == Wire::kFourBytes ? 4 : 8;
      if (from.size() < size) return false;
      from.remove_prefix(size);
      return true;
    }
  }
  return false;
}

}  // namespace workpool
