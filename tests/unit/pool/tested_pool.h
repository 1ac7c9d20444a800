// The tests of the work pool run on both of its admissions.
#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "pool/work_pool.h"
#include "unit/pool/gate.h"

namespace workpool {

enum class Kind { kFifo, kFull };

class BothKindsTest : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override { kind = GetParam(); }

 public:
  static inline Kind kind = Kind::kFifo;
};

inline void Nothing(Worker&) {}
inline WorkPool::Work PassThrough(Gate& gate) {
  return [&gate](Worker&) { EXPECT_TRUE(gate.Pass()); };
}

// A WorkPool of the kind that is tested.
class TestedPool final : public WorkPool {
 public:
  explicit TestedPool(WorkPoolOptions options) : WorkPool(OfKind(std::move(options))) {}

 private:
  static WorkPoolOptions OfKind(WorkPoolOptions options) {
    options.priorities = BothKindsTest::kind == Kind::kFull;
    return options;
  }
};

inline std::string KindName(const testing::TestParamInfo<Kind>& tested) {
  return tested.param == Kind::kFifo ? "Fifo" : "Full";
}

#define WORKPOOL_TEST_BOTH_KINDS(suite) \
  INSTANTIATE_TEST_SUITE_P(Kinds, suite, testing::Values(Kind::kFifo, Kind::kFull), KindName)

}  // namespace workpool
