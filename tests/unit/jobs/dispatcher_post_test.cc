#include <gtest/gtest.h>

#include "fakes/dispatcher_rig.h"

namespace workpool {
namespace {

DispatcherConfig EchoIn(std::uint32_t workers, std::uint64_t capacity) {
  DispatcherConfig config;
  config.pools = {MakePoolConfig("default", workers, capacity)};
  config.handlers = {EchoConfig()};
  return config;
}

TEST(DispatcherPost, RunsAnAcceptedJobAndKeepsItsResult) {
  DispatcherRig rig(EchoIn(1, 5));
  const PostProbe post = rig.Post(MakeWork("echo", "hello"));
  ASSERT_TRUE(post.accepted());
  EXPECT_EQ(rig.State(post.id()), JobState::kQueued);
  const WaitProbe wait = rig.Wait(post.id());
  EXPECT_TRUE(wait->empty());
  EXPECT_TRUE(rig.RunOne());
  ASSERT_EQ(wait->size(), 1u);
  EXPECT_EQ(wait->front()->state, JobState::kSucceeded);
  EXPECT_EQ(wait->front()->result, "hello");
  EXPECT_EQ(rig.dispatcher->Get(post.id())->result, "hello");
  EXPECT_EQ(rig.Pool().stats.active, 0u);
}

}  // namespace
}  // namespace workpool
