// The service Admin through a real channel.
#include "unit/rpc/pending_call.h"

namespace workpool::rpc {
namespace {

using RpcAdmin = RpcRig;

using Stub = v1::Admin::Stub;

template <typename Request>
Request NewRequest(const std::string& pool) {
  Request request;
  request.set_pool(pool);
  return request;
}

TEST_F(RpcAdmin, ListsPoolsAndHandlers) {
  const auto pools = Call(*admin, &Stub::ListPools, {});
  ASSERT_TRUE(pools.ok());
  EXPECT_EQ(pools.response.pools_size(), 2);
  const auto handlers = Call(*admin, &Stub::ListHandlers, {});
  ASSERT_TRUE(handlers.ok());
  EXPECT_EQ(handlers.response.handlers_size(), 2);
}

TEST_F(RpcAdmin, AnUnknownOrImpossiblePoolIsRefusedByName) {
  for (const auto& [name, reason] :
       {std::pair<std::string, std::string>{"nowhere", "UNKNOWN_POOL"}, {"", "BAD_FIELD"}}) {
    const auto got = Call(*admin, &Stub::GetPool, NewRequest<v1::GetPoolRequest>(name));
    EXPECT_FALSE(got.ok());
    EXPECT_EQ(got.reason, reason);
    const auto drained = Call(*admin, &Stub::DrainPool, NewRequest<v1::DrainPoolRequest>(name));
    EXPECT_FALSE(drained.ok());
    EXPECT_EQ(drained.reason, reason);
  }
}

TEST_F(RpcAdmin, ResizeIsInForceAtOnceAndResets) {
  auto request = NewRequest<v1::ResizePoolRequest>("small");
  request.set_workers(3);
  request.set_capacity(7);
  request.mutable_hold_for()->set_seconds(60);
  const auto resized = Call(*admin, &Stub::ResizePool, request);
  ASSERT_TRUE(resized.ok());
  EXPECT_EQ(resized.response.pool().workers(), 3U);
  EXPECT_EQ(resized.response.pool().capacity(), 7U);
  EXPECT_EQ(resized.response.pool().configured_workers(), 1U);
  EXPECT_TRUE(resized.response.pool().has_resized_until());

  auto reset = NewRequest<v1::ResizePoolRequest>("small");
  reset.set_reset(true);
  const auto again = Call(*admin, &Stub::ResizePool, reset);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again.response.pool().workers(), 1U);
}

TEST_F(RpcAdmin, PauseHoldsAndResumeGoesOn) {
  const auto paused = Call(*admin, &Stub::PausePool, NewRequest<v1::PausePoolRequest>("default"));
  ASSERT_TRUE(paused.ok());
  EXPECT_TRUE(paused.response.pool().paused());
  const JobId id = PostOne(NewWork("echo"));
  const auto got = Call(*admin, &Stub::GetPool, NewRequest<v1::GetPoolRequest>("default"));
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got.response.pool().queued(), 1U);
  const auto resumed =
      Call(*admin, &Stub::ResumePool, NewRequest<v1::ResumePoolRequest>("default"));
  ASSERT_TRUE(resumed.ok());
  EXPECT_FALSE(resumed.response.pool().paused());
  EXPECT_TRUE(Eventually([&] { return State(id) == JobState::kSucceeded; }));
}

struct PendingDrain : Pending<v1::DrainPoolRequest, v1::DrainPoolResponse> {
  explicit PendingDrain(Stub& admin) {
    request.set_pool("small");
    Start([&](auto... args) { admin.async()->DrainPool(args...); });
  }
};

TEST_F(RpcAdmin, DrainAnswersWhenNothingIsLeft) {
  FillSmall();
  PendingDrain drain(*admin);
  ASSERT_TRUE(Eventually([&] { return Pool("small").stats.draining; }));
  Release();
  EXPECT_FALSE(drain.done);
  Release();
  ASSERT_TRUE(drain.Wait());
  EXPECT_TRUE(drain.status.ok()) << drain.status.error_message();
  EXPECT_EQ(drain.response.pool().active(), 0U);
}

TEST_F(RpcAdmin, ADrainOutlivesItsClient) {
  FillSmall();
  PendingDrain drain(*admin);
  ASSERT_TRUE(Eventually([&] { return Pool("small").stats.draining; }));
  drain.context.TryCancel();
  ASSERT_TRUE(drain.Wait());
  EXPECT_EQ(drain.status.error_code(), grpc::CANCELLED);
  EXPECT_TRUE(Pool("small").stats.draining);
  Release();
  Release();
  EXPECT_TRUE(Eventually([&] { return Pool("small").stats.active == 0; }));
}

TEST_F(RpcAdmin, ServerInfoAndReload) {
  const auto info = Call(*admin, &Stub::GetServerInfo, {});
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info.response.version(), "9.9.9");

  const auto good = Call(*admin, &Stub::ReloadConfig, {});
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good.response.applied(0), "pools.default.workers: 1 -> 2");

  control.reload = Fail(ErrorCode::kBadConfig, "workpool.toml:3:1: unknown key");
  const auto bad = Call(*admin, &Stub::ReloadConfig, {});
  EXPECT_EQ(bad.status.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(bad.status.error_message(), "workpool.toml:3:1: unknown key");
  EXPECT_EQ(bad.reason, "BAD_FIELD");
}

TEST_F(RpcAdmin, AWatchSendsNowAndAfterEachInterval) {
  grpc::ClientContext context;
  v1::WatchStatsRequest request;
  v1::WatchStatsResponse reading;
  request.mutable_interval()->set_nanos(100'000'000);
  request.set_pool("default");
  const auto watch = admin->WatchStats(&context, request);
  ASSERT_TRUE(watch->Read(&reading));
  ASSERT_EQ(reading.pools_size(), 1);
  EXPECT_EQ(reading.pools(0).pool().accepted(), 0U);
  for (int i = 0; i < 10; ++i) PostOne(NewWork("echo"));
  bool seen = false;
  for (int i = 0; i < 50 && !seen; ++i) {
    ASSERT_TRUE(watch->Read(&reading));
    seen = reading.pools(0).accepted_per_second() > 0;
  }
  EXPECT_TRUE(seen);
  context.TryCancel();
  while (watch->Read(&reading)) {
  }
  EXPECT_EQ(watch->Finish().error_code(), grpc::CANCELLED);
}

TEST_F(RpcAdmin, AWatchsIntervalAndPoolAreChecked) {
  v1::WatchStatsResponse reading;
  for (const std::int64_t seconds : {0, -1, 3601}) {
    grpc::ClientContext context;
    v1::WatchStatsRequest request;
    request.mutable_interval()->set_seconds(seconds);
    const auto watch = admin->WatchStats(&context, request);
    EXPECT_FALSE(watch->Read(&reading));
    EXPECT_EQ(watch->Finish().error_code(), grpc::INVALID_ARGUMENT);
    EXPECT_EQ(ReasonOf(context), "BAD_FIELD");
  }
  grpc::ClientContext context;
  v1::WatchStatsRequest request;
  request.set_pool("nowhere");
  const auto watch = admin->WatchStats(&context, request);
  EXPECT_FALSE(watch->Read(&reading));
  EXPECT_EQ(watch->Finish().error_code(), grpc::NOT_FOUND);
}

}  // namespace
}  // namespace workpool::rpc
