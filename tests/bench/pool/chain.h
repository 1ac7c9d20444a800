// Work that costs the same in every language: a chain of multiplications, each of which needs the
// one before it. No compiler can shorten it, and no call or stack check is in it.
#pragma once

#include <cstdint>

namespace workpool::bench {

inline void RunChain(std::int64_t steps) {
  std::uint64_t value = 1;
  for (std::int64_t i = 0; i < steps; ++i) {
    value = value * 6364136223846793005U + 1442695040888963407U;
  }
  asm volatile("" : : "r"(value) : "memory");  // kept from the optimiser
}

// How many steps take a microsecond here: the fastest of several tries.
std::int64_t ChainStepsAMicrosecond();

}  // namespace workpool::bench
