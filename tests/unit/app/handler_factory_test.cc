// What the dispatcher is told, from what the file says.
#include "app/handler_factory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "fakes/manual_alarm.h"

namespace workpool {
namespace {

// No test here starts a child.
class NoChildren final : public ChildRunner {
 public:
  Result<std::shared_ptr<Child>> Start(ChildSpec, Done) override {
    return Fail(ErrorCode::kInternal, "no children here");
  }
};

const HandlerConfig* Find(const DispatcherConfig& config, const std::string& name) {
  const auto found = std::ranges::find(config.handlers, name, &HandlerConfig::name);
  return found == config.handlers.end() ? nullptr : &*found;
}

class HandlerFactoryTest : public testing::Test {
 protected:
  HandlerFactoryTest() {
    registry_.Add("resize", [](const Job&, JobContext&) { return Outcome::Success(); });
    config_ = DefaultConfig();
  }
  DispatcherConfig Convert() { return factory().Convert(config_, 2); }
  HandlerFactory& factory() {
    if (!factory_) factory_.emplace(registry_, children_, sleeper_);
    return *factory_;
  }
  HandlerSettings& AddCommand(const std::string& name) {
    HandlerSettings& handler = config_.handlers.emplace_back();
    handler.name = name;
    handler.pool = "default";
    handler.exec = {"true"};
    return handler;
  }

  HandlerRegistry registry_;
  NoChildren children_;
  SystemClock clock_;
  ManualAlarm alarm_;
  Sleeper sleeper_{clock_, alarm_};
  Config config_;
  std::optional<HandlerFactory> factory_;
};

TEST_F(HandlerFactoryTest, GivesPoolsTheirLimits) {
  config_.pools[0].max_waiting = 3;
  config_.pools[0].when_full = WhenFull::kWait;
  const DispatcherConfig converted = Convert();
  ASSERT_EQ(converted.pools.size(), 1U);
  const PoolConfig& pool = converted.pools[0];
  EXPECT_EQ(pool.name, "default");
  EXPECT_EQ(pool.limits.workers, 6U);
  EXPECT_EQ(pool.limits.capacity, 1000U);
  EXPECT_EQ(pool.limits.max_waiting, 3U);
  EXPECT_EQ(pool.when_full, WhenFull::kWait);
}

TEST_F(HandlerFactoryTest, HasBuiltinAndCppHandlersInNoPool) {
  const DispatcherConfig converted = Convert();
  for (const char* name : {"echo", "sleep", "fail", "noop"}) {
    ASSERT_NE(Find(converted, name), nullptr) << name;
    EXPECT_EQ(Find(converted, name)->kind, HandlerKind::kBuiltin);
    EXPECT_EQ(Find(converted, name)->pool, "");
  }
  ASSERT_NE(Find(converted, "resize"), nullptr);
  EXPECT_EQ(Find(converted, "resize")->kind, HandlerKind::kCpp);
}

TEST_F(HandlerFactoryTest, LeavesBuiltinHandlersOutWhenToldSo) {
  config_.server.builtin_handlers = false;
  const DispatcherConfig converted = Convert();
  EXPECT_EQ(converted.handlers.size(), 1U);
}

TEST_F(HandlerFactoryTest, PlacesHandlersThatTheConfigNames) {
  HandlerSettings& echo = AddCommand("echo");
  echo.exec.clear();
  echo.timeout = std::chrono::seconds(3);
  const DispatcherConfig converted = Convert();
  EXPECT_EQ(Find(converted, "echo")->pool, "default");
  EXPECT_EQ(Find(converted, "echo")->kind, HandlerKind::kBuiltin);
  EXPECT_EQ(Find(converted, "echo")->timeout, std::chrono::seconds(3));
  EXPECT_NE(Find(converted, "echo")->handler, nullptr);
}

TEST_F(HandlerFactoryTest, LetsACommandStandForABuiltin) {
  AddCommand("echo");
  EXPECT_EQ(Find(Convert(), "echo")->kind, HandlerKind::kCommand);
}

TEST_F(HandlerFactoryTest, LetsCodeStandForABuiltin) {
  registry_.Add("noop", [](const Job&, JobContext&) { return Outcome::Success("mine"); });
  EXPECT_EQ(Find(Convert(), "noop")->kind, HandlerKind::kCpp);
}

TEST_F(HandlerFactoryTest, KeepsACommandThatHasNotChanged) {
  AddCommand("same");
  AddCommand("changed");
  const DispatcherConfig before = Convert();
  config_.handlers[0].timeout = std::chrono::seconds(9);
  config_.handlers[1].env = {{"A", "1"}};
  const DispatcherConfig after = Convert();
  EXPECT_EQ(Find(before, "same")->handler, Find(after, "same")->handler);
  EXPECT_NE(Find(before, "changed")->handler, Find(after, "changed")->handler);
}

TEST_F(HandlerFactoryTest, PassesTheLimitOn) {
  AddCommand("limited");
  config_.handlers[0].max_active = 8;
  EXPECT_EQ(Find(Convert(), "limited")->max_active, 8u);
  EXPECT_EQ(Find(Convert(), "noop")->max_active, 0u);
}

TEST_F(HandlerFactoryTest, KnowsTheNamesThatNeedNoExec) {
  const KnownHandlers known = KnownHandlersOf(registry_);
  EXPECT_TRUE(known.builtin.contains("noop"));
  EXPECT_TRUE(known.cpp.contains("resize"));
  EXPECT_FALSE(known.cpp.contains("noop"));
}

}  // namespace
}  // namespace workpool
