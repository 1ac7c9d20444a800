#include "base/names.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace workpool {
namespace {

constexpr std::size_t kMaxName = 100;
constexpr std::size_t kMaxPrintable = 64;
constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

bool IsAlnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool IsNameChar(char c) { return IsAlnum(c) || c == '.' || c == '_' || c == '-'; }

// The length of the valid UTF-8 sequence at the start of `text`, or 0 (RFC 3629: no overlong forms,
// no surrogates, nothing above U+10FFFF).
std::size_t SequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  return length;
}

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

// The first eight bytes are ASCII and none of them is NUL. Below 0x80 only a zero borrows, and so
// sets a high bit.
bool BeginsPlain(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::uint64_t word = 0;
  if (text.size() < sizeof(word)) return false;
  std::memcpy(&word, text.data(), sizeof(word));
  return (((word - kOnes) | word) & kHighBits) == 0;
}

}  // namespace

Result<void> CheckName(std::string_view field, std::string_view name) {
  if (!name.empty() && name.size() <= kMaxName && IsAlnum(name.front()) &&
      std::ranges::all_of(name, IsNameChar)) {
    return {};
  }
  return Fail(ErrorCode::kBadField, std::string(field) + ": \"" + Printable(name) +
                                        "\" is not a name: 1 to " + std::to_string(kMaxName) +
                                        " of [A-Za-z0-9._-], starting with a letter or digit");
}

bool IsValidUtf8(std::string_view text) {
  while (!text.empty()) {
    if (BeginsPlain(text)) {
      text.remove_prefix(sizeof(std::uint64_t));
      continue;
    }
    const std::size_t length = SequenceLength(text);
    if (length == 0 || text.front() == '\0') return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string ToValidUtf8(std::string_view bytes, std::size_t max_bytes) {
  std::string text;
  text.reserve(std::min(bytes.size(), max_bytes));
  while (!bytes.empty()) {
    const std::size_t length = SequenceLength(bytes);
    const bool keep = length > 0 && bytes.front() != '\0';
    const std::string_view piece = keep ? bytes.substr(0, length) : kReplacement;
    if (text.size() + piece.size() > max_bytes) break;
    text.append(piece);
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

std::string Printable(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = SequenceLength(bytes.substr(i));
    const auto byte = static_cast<unsigned char>(bytes[i]);
    std::string piece;
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      piece = {'\\', 'x', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
    } else {
      piece = std::string(bytes.substr(i, length));
    }
    if (text.size() + piece.size() > kMaxPrintable) return text + "...";
    text += piece;
    i += std::max<std::size_t>(length, 1);
  }
  return text;
}

std::string_view Nearest(std::string_view word, const std::string_view* begin,
                         const std::string_view* end) {
  // A third of the letters may differ: enough for a slip, too few for another word.
  std::size_t best = word.size() / 3 + 1;
  std::string_view nearest;
  for (const std::string_view* candidate = begin; candidate != end; ++candidate) {
    const std::size_t distance = EditDistance(word, *candidate);
    if (distance < best || (distance == best && nearest.empty())) {
      best = distance;
      nearest = *candidate;
    }
  }
  return nearest;
}

}  // namespace workpool
