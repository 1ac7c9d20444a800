// Random runs that are compared with a model: the dice of one run, and all runs of a test. A
// failure names its seed; WORKPOOL_MODEL_SEED=n runs that one alone.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <string>

namespace workpool {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  int Below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool OneIn(int n) { return Below(n) == 0; }
  // Points to one of them; there must be some.
  template <typename Values>
  auto Any(Values& values) {
    return values.begin() + Below(static_cast<int>(values.size()));
  }
  template <typename T = int>
  T Pick(std::initializer_list<int> values) {
    return static_cast<T>(*(values.begin() + Below(static_cast<int>(values.size()))));
  }

 private:
  std::mt19937_64 random_;
};

// `Run` is made from a seed and does so many steps.
template <typename Run>
void RunSeeds(std::uint64_t runs, int steps) {
  const char* only = std::getenv("WORKPOOL_MODEL_SEED");
  const std::uint64_t first = only != nullptr ? std::stoull(only) : 1;
  const std::uint64_t last = only != nullptr ? first : runs;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("WORKPOOL_MODEL_SEED=" + std::to_string(seed));
    Run(seed).Steps(steps);
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
}

}  // namespace workpool
