#include "rpc/work_from_bytes.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "workpool/v1/job.pb.h"

namespace workpool::rpc {
namespace {

using namespace std::chrono_literals;

Error ErrorOf(const std::string& bytes) {
  Work work;
  const auto read = ReadWork(bytes, work);
  EXPECT_FALSE(read);
  return read ? Error{} : read.error();
}

TEST(WorkFromBytes, TextsArrive) {
  v1::Work from;
  from.set_handler("echo");
  from.set_pool("images");
  from.set_payload(std::string("a\0b\xff", 4));
  from.set_content_type("image/png");
  from.set_caller("shop");
  Work work;
  ASSERT_TRUE(ReadWork(from.SerializeAsString(), work));
  EXPECT_EQ(work.handler, "echo");
  EXPECT_EQ(work.pool, "images");
  EXPECT_EQ(work.payload, std::string("a\0b\xff", 4));
  EXPECT_EQ(work.content_type, "image/png");
  EXPECT_EQ(work.caller, "shop");
  EXPECT_EQ(work.priority, kDefaultPriority);
  EXPECT_FALSE(work.when_full);
}

TEST(WorkFromBytes, SoDoesAllElse) {
  v1::Work from;
  from.set_handler("echo");
  from.set_priority(9);
  from.set_weight(3);
  from.mutable_timeout()->set_seconds(30);
  (*from.mutable_metadata())["traceparent"] = "00-1";
  from.set_when_full(v1::WHEN_FULL_WAIT);
  from.mutable_wait_timeout()->set_nanos(5'000'000);
  Work work;
  ASSERT_TRUE(ReadWork(from.SerializeAsString(), work));
  EXPECT_EQ(work.handler, "echo");
  EXPECT_EQ(work.priority, 9);
  EXPECT_EQ(work.weight, 3U);
  EXPECT_EQ(work.timeout, 30s);
  EXPECT_EQ(work.metadata, (Metadata{{"traceparent", "00-1"}}));
  EXPECT_EQ(work.when_full, WhenFull::kWait);
  EXPECT_EQ(work.wait_timeout, 5ms);
}

// As the encoding has it: what comes last counts.
TEST(WorkFromBytes, AFieldMayStandTwice) {
  Work work;
  ASSERT_TRUE(ReadWork("\x0a\x03one\x0a\x03two", work));
  EXPECT_EQ(work.handler, "two");
}

TEST(WorkFromBytes, RulesAreTheSame) {
  v1::Work from;
  from.set_handler("echo");
  from.set_unique_key("once");
  EXPECT_EQ(ErrorOf(from.SerializeAsString()).code, ErrorCode::kNotServed);
  from.clear_unique_key();
  from.set_max_attempts(0);
  EXPECT_EQ(ErrorOf(from.SerializeAsString()).message,
            "max_attempts: 0 is not allowed, it is at least 1");
}

TEST(WorkFromBytes, WhatIsNoMessageIsRefused) {
  for (const std::string bytes : {"\x0a\x05"
                                  "echo",
                                  "\x0a", "\x80", "\x30"}) {
    EXPECT_EQ(ErrorOf(bytes).code, ErrorCode::kBadField);
    EXPECT_EQ(ErrorOf(bytes).message, "work: not a Work message, or a text in it is not UTF-8");
  }
}

}  // namespace
}  // namespace workpool::rpc
