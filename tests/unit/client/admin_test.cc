#include "workpool/admin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/fake_workpool_server.h"

namespace workpool::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AdminTest : public ::testing::Test {
 protected:
  AdminTest() {
    v1::Pool& pool = server_.pool();
    pool.set_name("small");
    pool.set_workers(2);
    pool.set_configured_workers(4);
    pool.set_capacity(5);
    pool.set_when_full(v1::WHEN_FULL_WAIT);
    pool.set_paused(true);
    pool.set_queued(3);
    pool.set_rejected(9);
    pool.mutable_oldest_queued()->set_seconds(2);
  }

  fakes::FakeWorkpoolServer server_;
  Admin admin_{{.server = server_.address()}};
};

TEST_F(AdminTest, ShowsPools) {
  const auto pools = admin_.Pools();
  ASSERT_TRUE(pools);
  ASSERT_EQ(pools->size(), 1U);
  const Pool& pool = pools->front();
  EXPECT_EQ(pool.name, "small");
  EXPECT_EQ(pool.workers, 2U);
  EXPECT_EQ(pool.configured_workers, 4U);
  EXPECT_EQ(pool.when_full, WhenFull::kWait);
  EXPECT_TRUE(pool.paused);
  EXPECT_EQ(pool.rejected, 9U);
  EXPECT_EQ(pool.oldest_queued, std::chrono::seconds(2));
  EXPECT_EQ(admin_.GetPool("small")->queued, 3U);
}

TEST_F(AdminTest, SaysWhichPoolIsUnknown) {
  for (const auto& pool : {admin_.GetPool("x"), admin_.PausePool("x"), admin_.ResumePool("x"),
                           admin_.DrainPool("x"), admin_.ResizePool("x", {.workers = 1})}) {
    ASSERT_FALSE(pool);
    EXPECT_EQ(pool.error().reason, "UNKNOWN_POOL");
  }
  EXPECT_EQ(admin_.PurgePool("x").error().code, StatusCode::kNotFound);
}

TEST_F(AdminTest, Resizes) {
  const auto pool = admin_.ResizePool(
      "small", {.workers = 8, .capacity = 0, .hold_for = std::chrono::seconds(90)});
  ASSERT_TRUE(pool);
  EXPECT_EQ(pool->workers, 8U);
  EXPECT_THAT(server_.admin_calls().front(), HasSubstr("workers: 8 capacity: 0"));
  EXPECT_THAT(server_.admin_calls().front(), HasSubstr("seconds: 90"));
}

TEST_F(AdminTest, PassesTheOtherCallsOn) {
  EXPECT_TRUE(admin_.PausePool("small"));
  EXPECT_TRUE(admin_.ResumePool("small"));
  EXPECT_TRUE(admin_.DrainPool("small"));
  EXPECT_EQ(admin_.PurgePool("small"), 7U);
  EXPECT_EQ(admin_.Handlers()->at(0).exec, std::vector<std::string>{"sha256sum"});
  EXPECT_EQ(admin_.Handlers()->at(0).kind, HandlerKind::kCommand);
  EXPECT_EQ(admin_.Info()->store, "memory");
  EXPECT_THAT(admin_.Reload()->needs_restart, ElementsAre("server.listen"));
}

TEST_F(AdminTest, ADrainEndsAtItsTimeoutAndNotBefore) {
  server_.Hold();
  const auto pool = admin_.DrainPool("small", {.timeout = std::chrono::milliseconds(50)});
  ASSERT_FALSE(pool);
  EXPECT_EQ(pool.error().code, StatusCode::kDeadlineExceeded);
}

TEST_F(AdminTest, WatchesUntilItIsEnough) {
  int readings = 0;
  const auto watched =
      admin_.WatchStats(std::chrono::milliseconds(250), "small", [&](const Stats& stats) {
        EXPECT_EQ(stats.pools.at(0).accepted_per_second, 12.5);
        return ++readings < 3;
      });
  EXPECT_TRUE(watched);
  EXPECT_EQ(readings, 3);
  EXPECT_THAT(server_.admin_calls().front(), HasSubstr("nanos: 250000000"));
}

TEST_F(AdminTest, AWatchThatIsRefusedSaysWhy) {
  server_.set_admin_status({grpc::StatusCode::NOT_FOUND, "there is no pool"}, "UNKNOWN_POOL");
  const auto watched =
      admin_.WatchStats(std::chrono::seconds(1), "x", [](const Stats&) { return true; });
  ASSERT_FALSE(watched);
  EXPECT_EQ(watched.error().reason, "UNKNOWN_POOL");
}

}  // namespace
}  // namespace workpool::client
