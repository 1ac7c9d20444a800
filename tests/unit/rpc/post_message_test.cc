#include "rpc/post_message.h"

#include <gtest/gtest.h>

#include <string>

#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {
namespace {

bool IsRead(const std::string& bytes) {
  PostMessage message;
  return ReadPostMessage(bytes, message);
}

TEST(PostMessage, IsReadAsItWasWritten) {
  v1::PostWorkStreamRequest request;
  request.set_first_sequence(std::uint64_t{1} << 63 | 5);
  request.add_work()->set_handler("echo");
  request.add_work();
  request.add_work()->set_payload(std::string(300, 'x'));
  for (const std::uint64_t sequence : {1U, 300U, 70'000U}) request.add_abandon(sequence);
  const std::string bytes = request.SerializeAsString();

  PostMessage message;
  ASSERT_TRUE(ReadPostMessage(bytes, message));
  EXPECT_EQ(message.first_sequence, request.first_sequence());
  ASSERT_EQ(message.work.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(message.work[static_cast<std::size_t>(i)], request.work(i).SerializeAsString());
  }
  EXPECT_EQ(message.abandon, (std::vector<std::uint64_t>{1, 300, 70'000}));
}

TEST(PostMessage, NothingIsAMessageToo) { EXPECT_TRUE(IsRead("")); }

// Other languages may write a list of numbers so.
TEST(PostMessage, NumbersMayStandOneByOne) {
  PostMessage message;
  ASSERT_TRUE(ReadPostMessage("\x18\x05\x18\x06", message));
  EXPECT_EQ(message.abandon, (std::vector<std::uint64_t>{5, 6}));
}

TEST(PostMessage, FieldsOfALaterVersionAreSkipped) {
  v1::PostWorkStreamRequest request;
  auto& unknown = *request.GetReflection()->MutableUnknownFields(&request);
  unknown.AddVarint(1000, 7);
  unknown.AddFixed32(1001, 7);
  unknown.AddFixed64(1002, 7);
  unknown.AddLengthDelimited(1003, "seven");
  PostMessage message;
  // Ends with a known one: nothing but the unknown ones is skipped.
  ASSERT_TRUE(ReadPostMessage(request.SerializeAsString() + "\x08\x2a", message));
  EXPECT_EQ(message.first_sequence, 42U);
}

TEST(PostMessage, ItemsBeyondTheLimitAreOnlyCounted) {
  std::string bytes;
  for (std::uint32_t i = 0; i < kMaxBatchItems + 5; ++i) bytes.append("\x12\0", 2);
  PostMessage message;
  ASSERT_TRUE(ReadPostMessage(bytes, message));
  EXPECT_EQ(message.items, kMaxBatchItems + 5);
  EXPECT_EQ(message.work.size(), kMaxBatchItems);
}

TEST(PostMessage, WhatIsCutOffIsNone) {
  v1::PostWorkStreamRequest request;
  request.add_work()->set_handler("echo");
  const std::string whole = request.SerializeAsString();
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_FALSE(IsRead(whole.substr(0, size))) << size;
  }
  EXPECT_FALSE(IsRead("\x08"));                  // a number that is missing
  EXPECT_FALSE(IsRead("\x1a\x01\x80"));          // one that does not end with its list
  EXPECT_FALSE(IsRead("\xc5\x3e\x01"));          // four bytes of which one is there
  EXPECT_FALSE(IsRead(std::string("\x13", 1)));  // a group
  EXPECT_FALSE(IsRead(std::string(11, '\x80')));
  EXPECT_FALSE(IsRead(std::string(2, '\0')));        // a field 0
  EXPECT_FALSE(IsRead("\x88\x80\x80\x80\x10\x01"));  // a tag of more than 32 bits
}

}  // namespace
}  // namespace workpool::rpc
