#include "jobs/registry.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "jobs/config.h"
#include "jobs/store.h"

namespace workpool {
namespace {

Outcome Nothing(const Job&, JobContext&) { return Outcome::Success(); }

TEST(HandlerRegistry, RefusesBadAndTakenNames) {
  HandlerRegistry registry;
  registry.Add("resize", Nothing);
  EXPECT_THROW(registry.Add("resize", Nothing), std::invalid_argument);
  EXPECT_THROW(registry.Add("", Nothing), std::invalid_argument);
  EXPECT_THROW(registry.Add("../x", Nothing), std::invalid_argument);
  EXPECT_THROW(registry.Add("empty", HandlerFunction()), std::invalid_argument);
  EXPECT_THROW(registry.Add("null", std::shared_ptr<Handler>()), std::invalid_argument);
  EXPECT_EQ(registry.handlers().size(), 1u);
}

TEST(SeriesHandler, IsOtherUnlessTheConfigLeadsThere) {  // case 26
  HandlerConfig placed;
  placed.name = "thumb";
  placed.pool = "images";
  EXPECT_EQ(SeriesHandler(placed, "images"), "thumb");
  EXPECT_EQ(SeriesHandler(placed, "default"), "other");
  HandlerConfig free;
  free.name = "echo";
  EXPECT_EQ(SeriesHandler(free, "default"), "echo");
  EXPECT_EQ(SeriesHandler(free, "images"), "other");
}

TEST(JobFilter, MatchesAllThatIsSet) {
  Job job;
  job.handler = "h";
  job.pool = "p";
  job.accepted_at = WallTime(std::chrono::seconds(100));
  EXPECT_TRUE(JobFilter().Empty());
  EXPECT_TRUE(JobFilter().Matches(job, JobState::kQueued));
  JobFilter filter;
  filter.pool = "p";
  filter.handler = "h";
  filter.states = {JobState::kQueued, JobState::kDead};
  filter.accepted_after = WallTime(std::chrono::seconds(99));
  filter.accepted_before = WallTime(std::chrono::seconds(101));
  EXPECT_FALSE(filter.Empty());
  EXPECT_TRUE(filter.Matches(job, JobState::kDead));
  EXPECT_FALSE(filter.Matches(job, JobState::kActive));
  filter.accepted_before = job.accepted_at;
  EXPECT_FALSE(filter.Matches(job, JobState::kDead));
}

}  // namespace
}  // namespace workpool
