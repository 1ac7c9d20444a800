#include "base/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/names.h"

namespace workpool {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::array<Unit, 6> kDurationUnits{{{"us", 1'000},
                                              {"ms", 1'000'000},
                                              {"s", 1'000'000'000},
                                              {"m", 60'000'000'000},
                                              {"h", 3'600'000'000'000},
                                              {"d", 86'400'000'000'000}}};
constexpr std::array<Unit, 5> kSizeUnits{{{"B", 1},
                                          {"KiB", std::uint64_t{1} << 10},
                                          {"MiB", std::uint64_t{1} << 20},
                                          {"GiB", std::uint64_t{1} << 30},
                                          {"TiB", std::uint64_t{1} << 40}}};
constexpr std::uint64_t kMaxDurationNs = 3650 * 86'400'000'000'000ULL;

template <std::size_t N>
const Unit* FindUnit(const std::array<Unit, N>& units, std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

// The leading digits (and one point, if `decimal`), and what follows them.
struct Split {
  std::string_view number;
  std::string_view unit;
};

Split SplitNumber(std::string_view text, bool decimal) {
  std::size_t end = 0;
  while (end < text.size() &&
         ((text[end] >= '0' && text[end] <= '9') || (decimal && end > 0 && text[end] == '.'))) {
    ++end;
  }
  return {text.substr(0, end), text.substr(end)};
}

std::unexpected<Error> BadDuration(std::string_view text) {
  return Fail(
      ErrorCode::kBadField,
      "\"" + Printable(text) +
          "\" is not a duration: a number and one of us, ms, s, m, h, d, such as \"250ms\"; "
          "at most 3650d");
}

std::unexpected<Error> BadSize(std::string_view text) {
  return Fail(ErrorCode::kBadField,
              "\"" + Printable(text) +
                  "\" is not a size: a whole number and one of B, KiB, MiB, GiB, TiB, such as "
                  "\"64KiB\"");
}

std::string WithUnit(std::uint64_t number, std::string_view unit) {
  return std::to_string(number).append(unit);
}

// `thousandths` of a unit, without trailing zeros.
std::string Decimal(std::uint64_t thousandths, std::string_view unit) {
  std::string places = std::to_string(1000 + thousandths % 1000);
  places.front() = '.';
  places.erase(places.find_last_not_of('0') + 1);
  return std::to_string(thousandths / 1000).append(places).append(unit);
}

}  // namespace

Result<std::chrono::nanoseconds> ParseDuration(std::string_view text) {
  const auto [number, unit_name] = SplitNumber(text, true);
  const Unit* unit = FindUnit(kDurationUnits, unit_name);
  if (number.empty() || unit == nullptr) return BadDuration(text);
  double value = 0;
  const char* end = number.data() + number.size();
  const auto [stopped, error] = std::from_chars(number.data(), end, value);
  if (error != std::errc() || stopped != end || number.back() == '.') return BadDuration(text);
  const double ns = value * static_cast<double>(unit->factor);
  if (ns > static_cast<double>(kMaxDurationNs)) return BadDuration(text);
  return std::chrono::nanoseconds(std::llround(ns));
}

std::string FormatDuration(std::chrono::nanoseconds value) {
  const auto ns = static_cast<std::uint64_t>(value.count() < 0 ? 0 : value.count());
  if (ns == 0) return "0s";
  for (auto unit = kDurationUnits.rbegin(); unit != kDurationUnits.rend(); ++unit) {
    if (ns % unit->factor == 0) return WithUnit(ns / unit->factor, unit->name);
    // A decimal of up to three places reads better than a long row of the next smaller unit.
    const std::uint64_t thousandth = unit->factor / 1000;
    if (unit->factor <= kDurationUnits[2].factor && ns > unit->factor && ns % thousandth == 0) {
      return Decimal(ns / thousandth, unit->name);
    }
  }
  return Decimal(ns, kDurationUnits[0].name);
}

Result<std::uint64_t> ParseSize(std::string_view text) {
  const auto [number, unit_name] = SplitNumber(text, false);
  const Unit* unit = FindUnit(kSizeUnits, unit_name);
  if (number.empty() || unit == nullptr) return BadSize(text);
  std::uint64_t value = 0;
  const auto [stopped, error] =
      std::from_chars(number.data(), number.data() + number.size(), value);
  std::uint64_t bytes = 0;
  if (error != std::errc() || __builtin_mul_overflow(value, unit->factor, &bytes)) {
    return BadSize(text);
  }
  return bytes;
}

std::string FormatSize(std::uint64_t bytes) {
  for (auto unit = kSizeUnits.rbegin(); unit != kSizeUnits.rend(); ++unit) {
    if (bytes >= unit->factor && bytes % unit->factor == 0) {
      return WithUnit(bytes / unit->factor, unit->name);
    }
  }
  return "0B";
}

}  // namespace workpool
