#include "app/log_format.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "base/names.h"

namespace workpool {
namespace {

constexpr std::size_t kMaxTextBytes = 16 * 1024;
constexpr std::uint64_t kMaxExact = std::uint64_t{1} << 53;

// Control characters as \n, \t and \uXXXX, which both formats understand.
std::string EscapeControls(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      escaped += "\\n";
    } else if (c == '\t') {
      escaped += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      escaped += fmt::format("\\u{:04x}", byte);
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string Quote(std::string_view bytes) {
  std::string slashed;
  for (const char c : ToValidUtf8(bytes, kMaxTextBytes)) {
    if (c == '"' || c == '\\') slashed += '\\';
    slashed += c;
  }
  return '"' + EscapeControls(slashed) + '"';
}

bool NeedsQuotes(std::string_view text) {
  return text.empty() || text.find_first_of(" =\"\\\n\t") != std::string_view::npos;
}

std::string TextValue(const LogField& field) {
  return std::visit(
      [](const auto& value) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string_view>) {
          return NeedsQuotes(value) ? Quote(value)
                                    : EscapeControls(ToValidUtf8(value, kMaxTextBytes));
        } else {
          return fmt::format("{}", value);
        }
      },
      field.value);
}

struct JsonValue {
  std::string operator()(std::string_view text) const { return Quote(text); }
  std::string operator()(std::int64_t number) const {
    const bool exact = number <= static_cast<std::int64_t>(kMaxExact) &&
                       number >= -static_cast<std::int64_t>(kMaxExact);
    return exact ? fmt::format("{}", number) : fmt::format("\"{}\"", number);
  }
  std::string operator()(std::uint64_t number) const {
    return number <= kMaxExact ? fmt::format("{}", number) : fmt::format("\"{}\"", number);
  }
  std::string operator()(bool yes) const { return yes ? "true" : "false"; }
  std::string operator()(double number) const {
    return std::isfinite(number) ? fmt::format("{}", number) : "null";
  }
};

}  // namespace

std::string FormatLogText(std::string_view message, LogFields fields) {
  std::string line = EscapeControls(ToValidUtf8(message, kMaxTextBytes));
  for (const LogField& field : fields) {
    line += fmt::format(" {}={}", field.name, TextValue(field));
  }
  return line;
}

std::string FormatLogJson(std::string_view message, LogFields fields) {
  std::string line = fmt::format("\"message\":{}", Quote(message));
  for (const LogField& field : fields) {
    line += fmt::format(",{}:{}", Quote(field.name), std::visit(JsonValue{}, field.value));
  }
  return line;
}

std::string_view NameOf(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return "debug";
    case LogLevel::kInfo: return "info";
    case LogLevel::kWarn: return "warn";
    case LogLevel::kError: return "error";
  }
  return "info";
}

}  // namespace workpool
