// Durations ("250ms", "30s", "5m", "2h", "7d") and sizes ("512B", "64KiB", "4MiB", "1GiB") as
// people write them in the config, on the command line and in the `sleep` handler's payload.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace workpool {

// Whole numbers or decimals with one unit of us, ms, s, m, h, d; at least 0, at most 3650 days. On
// failure kBadField naming the text and the rule.
Result<std::chrono::nanoseconds> ParseDuration(std::string_view text);

// The shortest exact form, e.g. "1.5s", "250ms", "2h".
std::string FormatDuration(std::chrono::nanoseconds value);

// A whole number with a unit of B, KiB, MiB, GiB, TiB. On failure kBadField.
Result<std::uint64_t> ParseSize(std::string_view text);

std::string FormatSize(std::uint64_t bytes);

}  // namespace workpool
