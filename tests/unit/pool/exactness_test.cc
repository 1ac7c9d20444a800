// Many threads post into pools of many sizes: exactly what fits is accepted.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <tuple>

#include "unit/pool/gate.h"
#include "unit/pool/tally.h"
#include "unit/pool/tested_pool.h"

namespace workpool {
namespace {

struct Size {
  std::uint32_t workers;
  std::uint64_t capacity;
};

class ExactnessTest : public testing::TestWithParam<std::tuple<Kind, Size>> {
 protected:
  void SetUp() override { BothKindsTest::kind = std::get<Kind>(GetParam()); }
  const Size size = std::get<Size>(GetParam());
};

TEST_P(ExactnessTest, WithAllWorkersBusyExactlyTheCapacityIsAccepted) {
  Gate gate;
  TestedPool pool({.workers = size.workers, .capacity = size.capacity});
  Tally tally;
  for (std::uint32_t i = 0; i < size.workers; ++i) {
    tally.Count(pool.TryPost([&](Worker&) { EXPECT_TRUE(gate.Pass()); }));
  }
  EXPECT_EQ(tally.accepted, size.workers);
  OnThreads(64, [&](int) {
    for (int i = 0; i < 50; ++i) tally.Count(pool.TryPost(Nothing));
  });
  EXPECT_EQ(tally.accepted, size.workers + size.capacity);
  EXPECT_EQ(pool.Read().queued, size.capacity);
  EXPECT_EQ(pool.Read().active, size.workers);
  gate.Open();
  pool.Stop(kForEver);
  tally.ExpectSameAs(pool.Read());
  ExpectAtRest(pool.Read());
  EXPECT_EQ(pool.Read().queued_peak, size.capacity);
  EXPECT_EQ(pool.Read().active_peak, size.workers);
}

TEST_P(ExactnessTest, IdleWorkersAndTheQueueAreFilledExactlyAndNoMore) {
  Gate gate;
  TestedPool pool({.workers = size.workers, .capacity = size.capacity});
  Tally tally;
  OnThreads(64, [&](int) {
    for (int i = 0; i < 10; ++i) {
      tally.Count(pool.TryPost([&](Worker&) { EXPECT_TRUE(gate.Pass()); }));
    }
  });
  EXPECT_EQ(tally.accepted, size.workers + size.capacity);
  EXPECT_TRUE(gate.AwaitArrivals(static_cast<int>(size.workers)));
  gate.Open();
  pool.Stop(kForEver);
  tally.ExpectSameAs(pool.Read());
  ExpectAtRest(pool.Read());
}

// Case 33.
TEST_P(ExactnessTest, APausedPoolAcceptsExactlyItsCapacityAndStartsNothing) {
  std::atomic<std::uint64_t> ran = 0;
  TestedPool pool({.workers = size.workers, .capacity = size.capacity});
  pool.Pause();
  Tally tally;
  OnThreads(64, [&](int) {
    for (int i = 0; i < 10; ++i) tally.Count(pool.TryPost([&](Worker&) { ++ran; }));
  });
  EXPECT_EQ(tally.accepted, size.capacity);
  EXPECT_EQ(ran, 0u);
  EXPECT_EQ(pool.Read().active_peak, 0u);
  pool.Resume();
  pool.Stop(kForEver);
  EXPECT_EQ(ran, size.capacity);
}

INSTANTIATE_TEST_SUITE_P(Sizes, ExactnessTest,
                         testing::Combine(testing::Values(Kind::kFifo, Kind::kFull),
                                          testing::Values(Size{2, 5}, Size{1, 0}, Size{4, 0},
                                                          Size{1, 1}, Size{8, 100})),
                         [](const auto& tested) {
                           const Size size = std::get<Size>(tested.param);
                           const bool fifo = std::get<Kind>(tested.param) == Kind::kFifo;
                           return (fifo ? "FifoWorkers" : "FullWorkers") +
                                  std::to_string(size.workers) + "Capacity" +
                                  std::to_string(size.capacity);
                         });

}  // namespace
}  // namespace workpool
