#include "rpc/pool_to_proto.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "rpc/pool_rates.h"

namespace workpool::rpc {
namespace {

using namespace std::chrono_literals;

PoolView SomePool(const std::string& name) {
  PoolView view;
  view.configured.name = name;
  view.configured.limits.workers = 8;
  view.configured.limits.capacity = 100;
  view.configured.when_full = WhenFull::kWait;
  view.stats.limits.workers = 4;
  view.stats.limits.capacity = 50;
  view.stats.limits.capacity_bytes = 1 << 20;
  view.stats.queued = 3;
  view.stats.queued_bytes = 300;
  view.stats.active = 4;
  view.stats.places_taken = 6;
  view.stats.waiting = 2;
  view.stats.queued_peak = 30;
  view.stats.active_peak = 8;
  view.stats.accepted = 1000;
  view.stats.refused = {5, 4, 3, 2, 1};
  view.invalid_posts = 7;
  view.finished = 993;
  view.interval = {20, 6};
  return view;
}

TEST(PoolToProto, ShowsWhatIsInForceAndWhatTheConfigSays) {
  PoolView view = SomePool("images");
  view.stats.paused = true;
  view.removed = true;
  view.resized_until = WallTime(100s);
  view.oldest_queued = 2s;
  v1::Pool pool;
  ToProto(view, pool);
  EXPECT_EQ(pool.name(), "images");
  EXPECT_EQ(pool.workers(), 4U);
  EXPECT_EQ(pool.configured_workers(), 8U);
  EXPECT_EQ(pool.capacity(), 50U);
  EXPECT_EQ(pool.configured_capacity(), 100U);
  EXPECT_EQ(pool.capacity_bytes(), 1U << 20);
  EXPECT_EQ(pool.when_full(), v1::WHEN_FULL_WAIT);
  EXPECT_TRUE(pool.paused());
  EXPECT_FALSE(pool.draining());
  EXPECT_TRUE(pool.removed());
  EXPECT_EQ(pool.resized_until().seconds(), 100);
  EXPECT_EQ(pool.queued(), 3U);
  EXPECT_EQ(pool.queued_bytes(), 300U);
  EXPECT_EQ(pool.active(), 4U);
  EXPECT_EQ(pool.places_taken(), 6U);
  EXPECT_EQ(pool.waiting_posts(), 2U);
  EXPECT_EQ(pool.queued_peak(), 30U);
  EXPECT_EQ(pool.active_peak(), 8U);
  EXPECT_EQ(pool.finished(), 993U);
  EXPECT_EQ(pool.oldest_queued().seconds(), 2);
}

TEST(PoolToProto, ShowsARangeOfWorkers) {
  PoolView view = SomePool("images");
  v1::Pool pool;
  ToProto(view, pool);
  EXPECT_EQ(pool.sizing(), v1::Pool::SIZING_FIXED);
  EXPECT_FALSE(pool.has_min_workers());
  EXPECT_FALSE(pool.has_worker_idle());
  EXPECT_FALSE(pool.workers_resized());
  view.configured.sizing = Sizing::kElastic;
  view.configured.min_workers = 2;
  view.configured.idle = 30s;
  view.workers_resized = true;
  ToProto(view, pool);
  EXPECT_EQ(pool.sizing(), v1::Pool::SIZING_ELASTIC);
  EXPECT_EQ(pool.min_workers(), 2U);
  EXPECT_EQ(pool.worker_idle().seconds(), 30);
  EXPECT_TRUE(pool.workers_resized());
  view.configured.sizing = Sizing::kAuto;
  ToProto(view, pool);
  EXPECT_EQ(pool.sizing(), v1::Pool::SIZING_AUTO);
  EXPECT_FALSE(pool.has_sizing_decision());
  view.tuning = TuningView{{12, TuneReason::kSettled}, WallTime(50s), {}};
  ToProto(view, pool);
  EXPECT_EQ(pool.sizing_decision().workers(), 12U);
  EXPECT_EQ(pool.sizing_decision().reason(), "settled");
  EXPECT_NE(pool.sizing_decision().explanation(), "");
  EXPECT_EQ(pool.sizing_decision().at().seconds(), 50);
}

TEST(PoolToProto, EveryPostIsAcceptedRejectedOrWaiting) {
  v1::Pool pool;
  ToProto(SomePool("images"), pool);
  EXPECT_EQ(pool.accepted(), 1000U);
  EXPECT_EQ(pool.rejected(), 15U + 7U);
  EXPECT_EQ(pool.posted(), pool.accepted() + pool.rejected() + pool.waiting_posts());
}

TEST(PoolToProto, HandlersShowTheirCommand) {
  HandlerConfig config;
  config.name = "sum";
  config.pool = "images";
  config.kind = HandlerKind::kCommand;
  config.timeout = 30s;
  config.exec = {"sha256sum", "-"};
  config.max_active = 8;
  v1::Handler handler;
  ToProto(config, handler);
  EXPECT_EQ(handler.name(), "sum");
  EXPECT_EQ(handler.pool(), "images");
  EXPECT_EQ(handler.kind(), v1::Handler::KIND_COMMAND);
  EXPECT_EQ(handler.timeout().seconds(), 30);
  EXPECT_EQ(handler.max_active(), 8U);
  ASSERT_EQ(handler.exec_size(), 2);
  EXPECT_EQ(handler.exec(1), "-");
}

TEST(PoolToProto, ServerInfo) {
  ServerInfo info{"1.2.3", WallTime(5s), "memory", "/etc/workpool.toml", 1, 2, 3, true};
  v1::GetServerInfoResponse out;
  ToProto(info, out);
  EXPECT_EQ(out.version(), "1.2.3");
  EXPECT_EQ(out.started_at().seconds(), 5);
  EXPECT_EQ(out.store(), "memory");
  EXPECT_EQ(out.config_file(), "/etc/workpool.toml");
  EXPECT_EQ(out.max_payload_bytes(), 1U);
  EXPECT_EQ(out.max_result_bytes(), 2U);
  EXPECT_EQ(out.max_message_bytes(), 3U);
  EXPECT_TRUE(out.shutting_down());
  EXPECT_EQ(out.pid(), static_cast<std::uint32_t>(::getpid()));
}

TEST(ResizeFromProto, TakesEachFieldAndNeedsOne) {
  v1::ResizePoolRequest request;
  EXPECT_EQ(ResizeFromProto(request).error().code, ErrorCode::kBadField);
  request.mutable_hold_for()->set_seconds(60);
  EXPECT_EQ(ResizeFromProto(request).error().code, ErrorCode::kBadField);
  request.set_workers(0);
  request.set_capacity(0);
  const auto resize = ResizeFromProto(request);
  ASSERT_TRUE(resize);
  EXPECT_EQ(resize->workers, 0U);
  EXPECT_EQ(resize->capacity, 0U);
  EXPECT_EQ(resize->hold_for, 60s);
  EXPECT_FALSE(resize->reset);
  request.mutable_hold_for()->set_seconds(-1);
  EXPECT_EQ(ResizeFromProto(request).error().message.find("hold_for: "), 0U);
  v1::ResizePoolRequest reset;
  reset.set_reset(true);
  EXPECT_TRUE(ResizeFromProto(reset)->reset);
}

TEST(PoolRates, AreThoseSinceTheReadingBefore) {
  PoolRates rates("");
  PoolView view = SomePool("images");
  const SteadyTime start;
  v1::WatchStatsResponse first;
  rates.Write({view}, start, WallTime(10s), first);
  EXPECT_EQ(first.at().seconds(), 10);
  ASSERT_EQ(first.pools_size(), 1);
  EXPECT_EQ(first.pools(0).accepted_per_second(), 0);
  // The peaks are the interval's.
  EXPECT_EQ(first.pools(0).pool().queued_peak(), 20U);
  EXPECT_EQ(first.pools(0).pool().active_peak(), 6U);

  view.stats.accepted += 50;
  view.finished += 20;
  view.invalid_posts += 5;
  v1::WatchStatsResponse second;
  rates.Write({view}, start + 500ms, WallTime(10s), second);
  EXPECT_DOUBLE_EQ(second.pools(0).accepted_per_second(), 100);
  EXPECT_DOUBLE_EQ(second.pools(0).finished_per_second(), 40);
  EXPECT_DOUBLE_EQ(second.pools(0).rejected_per_second(), 10);
}

TEST(PoolRates, ShowOnlyThePoolAskedFor) {
  PoolRates rates("b");
  v1::WatchStatsResponse out;
  rates.Write({SomePool("a"), SomePool("b")}, SteadyTime(), WallTime(), out);
  ASSERT_EQ(out.pools_size(), 1);
  EXPECT_EQ(out.pools(0).pool().name(), "b");
}

TEST(PoolRates, NeverFallBelowZero) {
  PoolRates rates("");
  PoolView view = SomePool("a");
  v1::WatchStatsResponse out;
  rates.Write({view}, SteadyTime(), WallTime(), out);
  view.stats.accepted = 1;
  out.Clear();
  rates.Write({view}, SteadyTime() + 1s, WallTime(), out);
  EXPECT_EQ(out.pools(0).accepted_per_second(), 0);
}

}  // namespace
}  // namespace workpool::rpc
