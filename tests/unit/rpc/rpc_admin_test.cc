// The service Admin through a real channel.
#include "unit/rpc/rpc_rig.h"

namespace workpool::rpc {
namespace {

using RpcAdmin = RpcRig;

v1::Pool Get(v1::Admin::Stub& admin, const std::string& name) {
  grpc::ClientContext context;
  v1::GetPoolRequest request;
  v1::GetPoolResponse response;
  request.set_pool(name);
  const auto status = admin.GetPool(&context, request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.pool();
}

TEST_F(RpcAdmin, ListsPoolsAndHandlers) {
  grpc::ClientContext pools_context;
  v1::ListPoolsResponse pools;
  ASSERT_TRUE(admin->ListPools(&pools_context, {}, &pools).ok());
  EXPECT_EQ(pools.pools_size(), 2);
  grpc::ClientContext handlers_context;
  v1::ListHandlersResponse handlers;
  ASSERT_TRUE(admin->ListHandlers(&handlers_context, {}, &handlers).ok());
  EXPECT_EQ(handlers.handlers_size(), 2);
}

TEST_F(RpcAdmin, AnUnknownOrImpossiblePoolIsRefusedByName) {
  for (const auto& [name, reason] :
       {std::pair<std::string, std::string>{"nowhere", "UNKNOWN_POOL"}, {"", "BAD_FIELD"}}) {
    grpc::ClientContext get;
    v1::GetPoolResponse got;
    v1::GetPoolRequest get_request;
    get_request.set_pool(name);
    EXPECT_FALSE(admin->GetPool(&get, get_request, &got).ok());
    EXPECT_EQ(ReasonOf(get), reason);
    grpc::ClientContext drain;
    v1::DrainPoolResponse drained;
    v1::DrainPoolRequest drain_request;
    drain_request.set_pool(name);
    EXPECT_FALSE(admin->DrainPool(&drain, drain_request, &drained).ok());
    EXPECT_EQ(ReasonOf(drain), reason);
  }
}

TEST_F(RpcAdmin, ResizeIsInForceAtOnceAndResets) {
  grpc::ClientContext context;
  v1::ResizePoolRequest request;
  v1::ResizePoolResponse response;
  request.set_pool("small");
  request.set_workers(3);
  request.set_capacity(7);
  request.mutable_hold_for()->set_seconds(60);
  ASSERT_TRUE(admin->ResizePool(&context, request, &response).ok());
  EXPECT_EQ(response.pool().workers(), 3U);
  EXPECT_EQ(response.pool().capacity(), 7U);
  EXPECT_EQ(response.pool().configured_workers(), 1U);
  EXPECT_TRUE(response.pool().has_resized_until());

  grpc::ClientContext again;
  v1::ResizePoolRequest reset;
  reset.set_pool("small");
  reset.set_reset(true);
  ASSERT_TRUE(admin->ResizePool(&again, reset, &response).ok());
  EXPECT_EQ(response.pool().workers(), 1U);
}

TEST_F(RpcAdmin, PauseHoldsAndResumeGoesOn) {
  grpc::ClientContext pause_context;
  v1::PausePoolRequest pause;
  v1::PausePoolResponse paused;
  pause.set_pool("default");
  ASSERT_TRUE(admin->PausePool(&pause_context, pause, &paused).ok());
  EXPECT_TRUE(paused.pool().paused());
  const JobId id = PostOne(NewWork("echo"));
  EXPECT_EQ(Get(*admin, "default").queued(), 1U);
  grpc::ClientContext resume_context;
  v1::ResumePoolRequest resume;
  v1::ResumePoolResponse resumed;
  resume.set_pool("default");
  ASSERT_TRUE(admin->ResumePool(&resume_context, resume, &resumed).ok());
  EXPECT_FALSE(resumed.pool().paused());
  EXPECT_TRUE(Eventually([&] { return State(id) == JobState::kSucceeded; }));
}

struct PendingDrain {
  grpc::ClientContext context;
  v1::DrainPoolRequest request;
  v1::DrainPoolResponse response;
  grpc::Status status;
  std::atomic<bool> done{false};
  void Start(v1::Admin::Stub& admin) {
    request.set_pool("small");
    admin.async()->DrainPool(&context, &request, &response, [this](grpc::Status result) {
      status = std::move(result);
      done = true;
    });
  }
};

TEST_F(RpcAdmin, DrainAnswersWhenNothingIsLeft) {
  FillSmall();
  PendingDrain drain;
  drain.Start(*admin);
  ASSERT_TRUE(Eventually([&] { return Pool("small").stats.draining; }));
  Release();
  EXPECT_FALSE(drain.done);
  Release();
  ASSERT_TRUE(Eventually([&] { return drain.done.load(); }));
  EXPECT_TRUE(drain.status.ok()) << drain.status.error_message();
  EXPECT_EQ(drain.response.pool().active(), 0U);
}

TEST_F(RpcAdmin, ADrainOutlivesItsClient) {
  FillSmall();
  PendingDrain drain;
  drain.Start(*admin);
  ASSERT_TRUE(Eventually([&] { return Pool("small").stats.draining; }));
  drain.context.TryCancel();
  ASSERT_TRUE(Eventually([&] { return drain.done.load(); }));
  EXPECT_EQ(drain.status.error_code(), grpc::CANCELLED);
  EXPECT_TRUE(Pool("small").stats.draining);
  Release();
  Release();
  EXPECT_TRUE(Eventually([&] { return Pool("small").stats.active == 0; }));
}

TEST_F(RpcAdmin, ServerInfoAndReload) {
  grpc::ClientContext info_context;
  v1::GetServerInfoResponse info;
  ASSERT_TRUE(admin->GetServerInfo(&info_context, {}, &info).ok());
  EXPECT_EQ(info.version(), "9.9.9");

  grpc::ClientContext good;
  v1::ReloadConfigResponse report;
  ASSERT_TRUE(admin->ReloadConfig(&good, {}, &report).ok());
  EXPECT_EQ(report.applied(0), "pools.default.workers: 1 -> 2");

  control.reload = Fail(ErrorCode::kBadConfig, "workpool.toml:3:1: unknown key");
  grpc::ClientContext bad;
  const auto status = admin->ReloadConfig(&bad, {}, &report);
  EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(status.error_message(), "workpool.toml:3:1: unknown key");
  EXPECT_EQ(ReasonOf(bad), "BAD_FIELD");
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
