#include "stores/memory_store.h"

#include "conformance/store_conformance.h"

namespace workpool {

INSTANTIATE_TEST_SUITE_P(Memory, StoreConformance,
                         ::testing::Values(StoreMaker{"memory", MakeMemoryStore}),
                         [](const auto& param) { return param.param.name; });

// What makes a job cheap; a store that does not say so would only be slow.
TEST(MemoryStore, CommitsAtOnce) {
  ManualClock clock;
  const auto store = MakeMemoryStore(clock);
  EXPECT_FALSE(store->KeepsAccepted());
  Job job;
  job.id = store->TakeIds(1);
  job.pool = "p";
  JobView view;
  view.job = {std::shared_ptr<const Job>(), &job};
  view.state = JobState::kSucceeded;
  clock.Advance(std::chrono::minutes(1));
  ASSERT_TRUE(store->FinishAtOnce(view, clock.Now() - std::chrono::minutes(1)));
  // It is kept from the instant that the caller names, not from that of the call.
  EXPECT_EQ(store->Tick(clock.Now()), clock.Now() + std::chrono::minutes(14));
}

}  // namespace workpool
