#include "rpc/work_from_proto.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {
namespace {

using namespace std::chrono_literals;

v1::Work Plain() {
  v1::Work work;
  work.set_handler("echo");
  return work;
}

Error ErrorOf(v1::Work work) {
  const auto result = WorkFromProto(work);
  EXPECT_FALSE(result);
  return result ? Error{} : result.error();
}

TEST(WorkFromProto, EveryServedFieldArrives) {
  v1::Work from = Plain();
  from.set_pool("images");
  from.set_payload(std::string("a\0b\xff", 4));
  from.set_content_type("image/png");
  from.set_caller("shop");
  from.set_priority(9);
  from.mutable_timeout()->set_seconds(30);
  (*from.mutable_metadata())["traceparent"] = "00-1";
  from.set_when_full(v1::WHEN_FULL_WAIT);
  from.mutable_wait_timeout()->set_nanos(5'000'000);
  from.set_weight(3);
  from.set_max_attempts(1);

  const auto work = WorkFromProto(from);
  ASSERT_TRUE(work) << work.error().message;
  EXPECT_EQ(work->handler, "echo");
  EXPECT_EQ(work->pool, "images");
  EXPECT_EQ(work->payload, std::string("a\0b\xff", 4));
  EXPECT_EQ(work->content_type, "image/png");
  EXPECT_EQ(work->caller, "shop");
  EXPECT_EQ(work->priority, 9);
  EXPECT_EQ(work->weight, 3U);
  EXPECT_EQ(work->timeout, 30s);
  EXPECT_EQ(work->metadata, (Metadata{{"traceparent", "00-1"}}));
  EXPECT_EQ(work->when_full, WhenFull::kWait);
  EXPECT_EQ(work->wait_timeout, 5ms);
}

TEST(WorkFromProto, WhatIsUnsetIsTheServersToChoose) {
  v1::Work from = Plain();
  const auto work = WorkFromProto(from);
  ASSERT_TRUE(work);
  EXPECT_EQ(work->priority, kDefaultPriority);
  EXPECT_EQ(work->weight, 1U);
  EXPECT_FALSE(work->timeout);
  EXPECT_FALSE(work->when_full);
  EXPECT_FALSE(work->wait_timeout);
}

TEST(WorkFromProto, PriorityZeroIsNotUnset) {
  v1::Work from = Plain();
  from.set_priority(0);
  EXPECT_EQ(WorkFromProto(from)->priority, 0);
}

// The dispatcher refuses it; it must not become a priority that is allowed.
TEST(WorkFromProto, AHugePriorityStaysOutOfRange) {
  v1::Work from = Plain();
  from.set_priority(std::numeric_limits<std::uint32_t>::max());
  EXPECT_GT(WorkFromProto(from)->priority, 9);
}

TEST(WorkFromProto, ThePayloadIsMovedNotCopied) {
  v1::Work from = Plain();
  from.set_payload(std::string(1000, 'x'));
  const char* bytes = from.payload().data();
  EXPECT_EQ(WorkFromProto(from)->payload.data(), bytes);
}

struct NotServed {
  std::string field;
  std::function<void(v1::Work&)> set;
};

TEST(WorkFromProto, EveryFieldThatIsNotServedIsNamed) {
  const NotServed rows[] = {
      {"run_at", [](v1::Work& w) { w.mutable_run_at()->set_seconds(1); }},
      {"delay", [](v1::Work& w) { w.mutable_delay(); }},
      {"queue_ttl", [](v1::Work& w) { w.mutable_queue_ttl()->set_seconds(1); }},
      {"backoff", [](v1::Work& w) { w.mutable_backoff(); }},
      {"unique_key", [](v1::Work& w) { w.set_unique_key("k"); }},
      {"unique_for", [](v1::Work& w) { w.mutable_unique_for(); }},
      {"max_attempts", [](v1::Work& w) { w.set_max_attempts(2); }},
  };
  for (const NotServed& row : rows) {
    v1::Work work = Plain();
    row.set(work);
    const Error error = ErrorOf(work);
    EXPECT_EQ(error.code, ErrorCode::kNotServed) << row.field;
    EXPECT_EQ(error.message.find(row.field + ": "), 0U) << error.message;
  }
}

TEST(WorkFromProto, EveryBadFieldIsNamed) {
  const NotServed rows[] = {
      {"max_attempts", [](v1::Work& w) { w.set_max_attempts(0); }},
      {"timeout", [](v1::Work& w) { w.mutable_timeout()->set_seconds(-1); }},
      {"wait_timeout", [](v1::Work& w) { w.mutable_wait_timeout()->set_nanos(-1); }},
      {"when_full", [](v1::Work& w) { w.set_when_full(static_cast<v1::WhenFull>(77)); }},
  };
  for (const NotServed& row : rows) {
    v1::Work work = Plain();
    row.set(work);
    const Error error = ErrorOf(work);
    EXPECT_EQ(error.code, ErrorCode::kBadField) << row.field;
    EXPECT_EQ(error.message.find(row.field + ": "), 0U) << error.message;
  }
}

TEST(WorkFromProto, ARequestNeedsItsWork) {
  v1::PostWorkRequest request;
  const auto result = WorkOf(request);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kBadField);
  EXPECT_EQ(result.error().message, "work: missing");
}

}  // namespace
}  // namespace workpool::rpc
