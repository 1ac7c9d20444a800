#include "jobs/post_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pool/manual_pool.h"

namespace workpool {
namespace {

using ::testing::HasSubstr;

class PostCheckTest : public ::testing::Test {
 protected:
  PostCheckTest() {
    routes_.max_payload = 100;
    for (const char* name : {"default", "images"}) {
      PoolConfig config;
      config.name = name;
      routes_.pools[name] =
          std::make_shared<PoolSlot>(config, std::make_unique<ManualPool>(config.limits));
    }
    AddHandler("free", "");
    AddHandler("thumb", "images");
    AddHandler("lost", "gone");
    routes_.Index();
  }
  void AddHandler(const std::string& name, const std::string& pool) {
    HandlerConfig handler;
    handler.name = name;
    handler.pool = pool;
    routes_.handlers[name] = std::make_shared<const HandlerConfig>(handler);
  }
  std::string PoolOf(const Work& work) const {
    const Result<Ref<const Route>> route = CheckWork(work, routes_);
    return route ? (*route)->pool->name() : std::string(ReasonOf(route.error().code));
  }
  Error ErrorOf(const Work& work) const { return CheckWork(work, routes_).error(); }
  static Work For(std::string handler, std::string pool = "") {
    Work work;
    work.handler = std::move(handler);
    work.pool = std::move(pool);
    return work;
  }

  Routes routes_;
};

TEST_F(PostCheckTest, FindsThePool) {
  EXPECT_EQ(PoolOf(For("free")), "default");
  EXPECT_EQ(PoolOf(For("free", "images")), "images");
  EXPECT_EQ(PoolOf(For("thumb")), "images");
  EXPECT_EQ(PoolOf(For("thumb", "images")), "images");
  EXPECT_EQ(PoolOf(For("free", "nowhere")), "UNKNOWN_POOL");
  EXPECT_EQ(PoolOf(For("lost")), "UNKNOWN_POOL");
  EXPECT_EQ(PoolOf(For("nobody")), "UNKNOWN_HANDLER");
}

TEST_F(PostCheckTest, AnotherPoolThanTheHandlersIsRefusedNamingBoth) {
  const Error error = ErrorOf(For("thumb", "default"));
  EXPECT_EQ(error.code, ErrorCode::kBadField);
  EXPECT_THAT(error.message, HasSubstr("\"images\""));
  EXPECT_THAT(error.message, HasSubstr("\"default\""));
}

TEST_F(PostCheckTest, NamesThatBreakTheRuleAreRefused) {  // case 45
  for (const std::string& name : {std::string(), std::string(300, 'a'), std::string("../x"),
                                  std::string("a\0b", 3), std::string("\xd0\xb6\xd1\x83\xd0\xba"),
                                  std::string("\xf0\x9f\x98\x80"), std::string("a\r\nb")}) {
    EXPECT_EQ(ErrorOf(For(name)).code, ErrorCode::kBadField) << name;
    if (!name.empty()) {
      EXPECT_EQ(ErrorOf(For("free", name)).code, ErrorCode::kBadField) << name;
    }
  }
}

TEST_F(PostCheckTest, PayloadUpToItsBound) {  // case 44
  Work work = For("free");
  work.payload = std::string(100, 'x');
  EXPECT_EQ(PoolOf(work), "default");
  work.payload += 'x';
  EXPECT_EQ(ErrorOf(work).code, ErrorCode::kPayloadTooLarge);
  EXPECT_THAT(ErrorOf(work).message, HasSubstr("101 bytes, at most 100"));
}

TEST_F(PostCheckTest, PriorityWithinItsBounds) {  // cases 22, 37
  for (const int priority : {0, 9}) {
    Work work = For("free");
    work.priority = priority;
    EXPECT_EQ(PoolOf(work), "default");
  }
  for (const int priority : {-1, 10, 2'000'000'000}) {
    Work work = For("free");
    work.priority = priority;
    EXPECT_EQ(ErrorOf(work).code, ErrorCode::kBadField);
    EXPECT_THAT(ErrorOf(work).message, HasSubstr("priority"));
  }
}

TEST_F(PostCheckTest, DurationsAboveZeroAndNotAbsurd) {  // case 22
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  for (const nanoseconds bad : {nanoseconds(0), nanoseconds(-1), nanoseconds(hours(24 * 3651)),
                                nanoseconds::max(), nanoseconds::min()}) {
    Work work = For("free");
    work.timeout = bad;
    EXPECT_THAT(ErrorOf(work).message, HasSubstr("timeout"));
    work.timeout.reset();
    work.wait_timeout = bad;
    EXPECT_THAT(ErrorOf(work).message, HasSubstr("wait_timeout"));
  }
  Work work = For("free");
  work.timeout = nanoseconds(1);
  work.wait_timeout = hours(24 * 3650);
  EXPECT_EQ(PoolOf(work), "default");
}

TEST_F(PostCheckTest, TextsKeepTheirRules) {
  Work work = For("free");
  work.caller = "\xff";
  EXPECT_EQ(ErrorOf(work).code, ErrorCode::kBadField);
  EXPECT_THAT(ErrorOf(work).message, HasSubstr("caller: "));
  work.caller.clear();
  work.metadata = {{"", "v"}};
  EXPECT_THAT(ErrorOf(work).message, HasSubstr("metadata: "));
}

}  // namespace
}  // namespace workpool
