#include "jobs/wait_group.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "fakes/dispatcher_rig.h"

namespace workpool {
namespace {

using std::chrono::seconds;

class NoOwner final : public JobOwner {
 public:
  RunStatus Run(JobEntry&, Place) noexcept override { return RunStatus::kFinished; }
  void WaitsAccepted(std::span<Task* const>) noexcept override {}
  void WaitRefused(JobEntry&, Refusal) noexcept override {}
};

class WaitGroupTest : public ::testing::Test {
 protected:
  static SteadyTime At(int s) { return SteadyTime(seconds(s)); }

  // One post a time at which its wait ends.
  Ref<WaitGroup> Make(const std::vector<int>& until) {
    std::vector<WaitGroup::Post> posts;
    for (const int s : until) {
      entries_.push_back(JobEntry::Make(owner_, route_, {}));
      posts.push_back({entries_.back(), PostAnswer([](const Result<Posted>&) {}), At(s)});
    }
    auto group = MakeRef<WaitGroup>(std::move(posts));
    table_.Add(group);
    return group;
  }

  NoOwner owner_;
  PoolConfig pool_ = MakePoolConfig("default", 1, 1);
  Ref<const Route> route_ = MakeRef<const Route>(
      std::make_shared<PoolSlot>(pool_, std::make_unique<ManualPool>(pool_.limits)),
      std::make_shared<const HandlerConfig>(EchoConfig()));
  WaitTable table_;
  std::vector<Ref<JobEntry>> entries_;
};

TEST_F(WaitGroupTest, EachWaitEndsOnceAndTheLastDropsTheDeadline) {
  const Ref<WaitGroup> group = Make({5, 5});
  const DeadlineKey key{At(5), 7};
  EXPECT_TRUE(group->KeepKey(key));
  WaitGroup::Ended ended = group->End(1);
  EXPECT_TRUE(ended.answer);
  EXPECT_FALSE(ended.last);
  EXPECT_FALSE(group->End(1).answer);
  ended = group->End(0);
  EXPECT_TRUE(ended.answer);
  EXPECT_TRUE(ended.last);
  EXPECT_EQ(ended.key, key);
  EXPECT_FALSE(group->End(0).last);
  EXPECT_FALSE(group->KeepKey(key));
}

TEST_F(WaitGroupTest, ItsDeadlineIsThatOfWhoeverIsNext) {
  const Ref<WaitGroup> group = Make({9, 5, 7});
  EXPECT_EQ(group->NextDue(SteadyTime::min()), At(5));
  EXPECT_TRUE(group->Due(At(4)).empty());
  ASSERT_EQ(group->Due(At(5)).size(), 1u);
  EXPECT_EQ(group->Due(At(5)).front(), entries_[1]);
  EXPECT_EQ(group->NextDue(At(5)), At(7));  // although the one that is due has not ended yet
  group->End(1);
  EXPECT_EQ(group->NextDue(SteadyTime::min()), At(7));
  EXPECT_EQ(group->Due(At(9)).size(), 2u);
  group->End(0);
  group->End(2);
  EXPECT_FALSE(group->NextDue(SteadyTime::min()));
}

TEST_F(WaitGroupTest, TicketsNameThePostsOfTheirGroup) {
  const Ref<WaitGroup> first = Make({5, 5});
  const Ref<WaitGroup> second = Make({5});
  EXPECT_NE(first->first_ticket(), 0u);
  EXPECT_EQ(table_.Find(first->first_ticket()), entries_[0]);
  EXPECT_EQ(table_.Find(first->first_ticket() + 1), entries_[1]);
  EXPECT_EQ(table_.Find(second->first_ticket()), entries_[2]);
  EXPECT_EQ(table_.Find(second->first_ticket() + 1), nullptr);
  EXPECT_EQ(table_.Find(0), nullptr);
  first->End(0);
  EXPECT_EQ(table_.Find(first->first_ticket()), nullptr);
  EXPECT_EQ(table_.Find(first->first_ticket() + 1), entries_[1]);
  table_.Remove(*first);
  EXPECT_EQ(table_.Find(first->first_ticket() + 1), nullptr);
  EXPECT_EQ(table_.Find(second->first_ticket()), entries_[2]);
}

}  // namespace
}  // namespace workpool
