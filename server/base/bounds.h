// Upper bounds for what a config or a request may ask for.
#pragma once

#include <chrono>
#include <cstdint>

namespace workpool {

inline constexpr std::uint32_t kMaxWorkers = 100'000;
inline constexpr std::uint64_t kMaxCapacity = 100'000'000;
// For every duration: sums of times cannot overflow.
inline constexpr std::chrono::hours kMaxDuration{24 * 3650};

}  // namespace workpool
