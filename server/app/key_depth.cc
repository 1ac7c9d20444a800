#include "app/key_depth.h"

#include <algorithm>

namespace workpool {
namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<Position> Find() {
    std::size_t dots = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '.' && ++dots >= kMaxKeyParts) return Here();
      if (kEndsKey.find(c) != std::string_view::npos) dots = 0;
      Skip(c);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::string_view kEndsKey = "=[]{},#\n";

  void Skip(char c) {
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '"' || c == '\'') {
      SkipString(c);
    } else {
      ++at_;
    }
  }

  void SkipString(char quote) {
    const std::string_view rest = text_.substr(at_);
    const bool multi_line = rest.size() >= 3 && rest[1] == quote && rest[2] == quote;
    at_ += multi_line ? 3 : 1;
    while (at_ < text_.size() && !EndString(quote, multi_line)) {
      at_ = std::min(at_ + (quote == '"' && text_[at_] == '\\' ? 2 : 1), text_.size());
    }
  }

  // True, and past it, at what ends the string; a newline ends one of a single line, which is no
  // TOML then.
  bool EndString(char quote, bool multi_line) {
    if (!multi_line && text_[at_] == '\n') return true;
    if (text_[at_] != quote) return false;
    const std::size_t end = std::min(text_.find_first_not_of(quote, at_), text_.size());
    if (multi_line && end - at_ < 3) return false;
    // Up to two quotes may stand before the three that end it.
    at_ += multi_line ? std::min<std::size_t>(end - at_, 5) : 1;
    return true;
  }

  Position Here() const {
    const std::string_view before = text_.substr(0, at_);
    const std::size_t line = before.rfind('\n') + 1;  // npos + 1 is the text's beginning
    const auto characters = std::ranges::count_if(
        before.substr(line), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    return {static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1),
            static_cast<std::uint32_t>(characters + 1)};
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<Position> FindDeepKey(std::string_view text) { return Scanner(text).Find(); }

}  // namespace workpool
