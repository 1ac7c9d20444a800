// Random use of the dispatcher, seeded. A failure prints its seed; WORKPOOL_SIM_SEED replays it,
// and WORKPOOL_SIM_RUNS makes a longer run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "sim/dispatcher_world.h"

namespace workpool {
namespace {

constexpr int kSteps = 600;

std::uint64_t FromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::string RunSeed(std::uint64_t seed) {
  DispatcherWorld world(seed);
  for (int step = 0; step < kSteps; ++step) {
    world.Step();
    if (step % 50 != 0) continue;
    if (std::string fault = world.CheckAlways(); !fault.empty()) return fault;
  }
  if (seed % 3 == 0) {
    world.ShutDown();
  } else {
    world.Settle();
  }
  return world.CheckAtRest();
}

TEST(DispatcherSimulation, KeepsItsPromisesUnderRandomUse) {
  const std::uint64_t only = FromEnvironment("WORKPOOL_SIM_SEED", 0);
  const std::uint64_t first = only != 0 ? only : 1;
  const std::uint64_t runs = only != 0 ? 1 : FromEnvironment("WORKPOOL_SIM_RUNS", 100);
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    const std::string fault = RunSeed(seed);
    ASSERT_EQ(fault, "") << "replay with WORKPOOL_SIM_SEED=" << seed;
  }
}

}  // namespace
}  // namespace workpool
