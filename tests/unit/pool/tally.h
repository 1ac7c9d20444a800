// What clients count, to be held against what the pool counts.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <atomic>

#include "pool/work_pool.h"

namespace workpool {

// What the posters were told, all of them together.
struct Tally {
  std::atomic<std::uint64_t> accepted = 0;
  std::array<std::atomic<std::uint64_t>, kRefusals> refused{};

  void Count(const WorkPool::Posted& posted) {
    posted ? ++accepted : ++refused[static_cast<std::size_t>(posted.error())];
  }
  void ExpectSameAs(const PoolStats& stats) const {
    EXPECT_EQ(stats.accepted, accepted);
    for (std::size_t why = 0; why < kRefusals; ++why) {
      EXPECT_EQ(stats.refused[why], refused[why]) << "refusal " << why;
    }
  }
};

inline void ExpectAtRest(const PoolStats& stats) {
  EXPECT_EQ(stats.queued, 0u);
  EXPECT_EQ(stats.queued_bytes, 0u);
  EXPECT_EQ(stats.active, 0u);
  EXPECT_EQ(stats.waiting, 0u);
  EXPECT_EQ(stats.waiting_bytes, 0u);
  EXPECT_EQ(stats.accepted, stats.finished + stats.withdrawn);
}

}  // namespace workpool
