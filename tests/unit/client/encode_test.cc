#include "encode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "convert.h"

namespace workpool::client {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;

Work Plain() {
  Work work;
  work.handler = "echo";
  work.payload = "p";
  return work;
}

Work Full() {
  Work work;
  work.handler = "echo";
  work.pool = "pool";
  work.payload = std::string("\0\xff", 2) + std::string(200, 'p');
  work.content_type = "text/plain";
  work.caller = "me";
  work.priority = 0;
  work.weight = 300;
  work.timeout = seconds(90);
  work.metadata = {{"key", std::string(150, 'v')}};
  work.when_full = WhenFull::kWait;
  work.wait_timeout = milliseconds(1500);
  return work;
}

void Append(Work work, Message& message) {
  const std::size_t size = EncodedSize(work);
  AppendItem(std::move(work), size, message);
}

std::string Encoded(const Work& work) {
  Message message;
  Append(work, message);
  return Joined(message);
}

// What the generated classes read in it and write for it.
std::string Read(const std::string& message) {
  v1::PostWorkStreamRequest request;
  EXPECT_TRUE(request.ParseFromString(message));
  return request.SerializeAsString();
}

// Their encoding of the same.
std::string Expected(const Work& work) {
  v1::PostWorkStreamRequest request;
  Fill(work, request.add_work());
  return request.SerializeAsString();
}

void ExpectSame(const Work& work) {
  const std::string encoded = Encoded(work);
  const std::string expected = Expected(work);
  EXPECT_EQ(encoded.size(), expected.size());
  EXPECT_TRUE(Read(encoded) == expected);
}

TEST(EncodeTest, WritesAWorkAsTheGeneratedClassesDo) {
  for (const Work& work : {Work(), Plain(), Full()}) {
    ExpectSame(work);
    v1::Work proto;
    Fill(work, &proto);
    EXPECT_EQ(EncodedSize(work), proto.ByteSizeLong());
  }
}

TEST(EncodeTest, WritesEveryWayToBeFull) {
  Work work = Plain();
  for (const WhenFull when_full : {WhenFull::kPoolDefault, WhenFull::kReject, WhenFull::kWait}) {
    work.when_full = when_full;
    ExpectSame(work);
  }
}

TEST(EncodeTest, WritesEveryDuration) {
  Work work = Plain();
  for (const nanoseconds duration :
       {nanoseconds(0), nanoseconds(1), nanoseconds(-1), nanoseconds(seconds(3)),
        nanoseconds(seconds(-3)), nanoseconds(milliseconds(-3500)),
        nanoseconds(hours(24 * 3650)) + nanoseconds(999'999'999), nanoseconds::min(),
        nanoseconds::max()}) {
    work.timeout = work.wait_timeout = duration;
    SCOPED_TRACE(duration.count());
    ExpectSame(work);
  }
}

TEST(EncodeTest, WritesLongNumbersAndTexts) {
  Work work = Plain();
  work.weight = work.priority = std::numeric_limits<std::uint32_t>::max();
  for (const std::size_t size : {127U, 128U, 16'383U, 16'384U, 3'000'000U}) {
    work.payload = std::string(size, 'x');
    SCOPED_TRACE(size);
    ExpectSame(work);
  }
}

TEST(EncodeTest, WritesAllMetadata) {
  Work work = Plain();
  work.metadata = {{"", ""}, {"a", ""}, {"b", "1"}, {"c", std::string(200, 'x')}};
  v1::PostWorkStreamRequest request;
  ASSERT_TRUE(request.ParseFromString(Encoded(work)));
  const auto& metadata = request.work(0).metadata();
  EXPECT_EQ((std::map<std::string, std::string>(metadata.begin(), metadata.end())), work.metadata);
}

TEST(EncodeTest, PutsAMessageTogether) {
  Message message;
  Append(Plain(), message);
  Append(Full(), message);
  AppendFirstSequence(1'000'000, message);
  AppendAbandoned(std::vector<std::uint64_t>{3, 1'000'000'000'000}, message);
  v1::PostWorkStreamRequest request;
  ASSERT_TRUE(request.ParseFromString(Joined(message)));
  EXPECT_EQ(request.work_size(), 2);
  EXPECT_EQ(request.first_sequence(), 1'000'000U);
  EXPECT_THAT(request.abandon(), ElementsAre(3U, 1'000'000'000'000U));
}

TEST(EncodeTest, MovesLargePayloads) {
  Work large = Full();
  large.payload = std::string(100'000, 'x');
  const char* const bytes = large.payload.data();
  const std::size_t size = EncodedSize(large);
  Message message;
  AppendItem(std::move(large), size, message);
  ASSERT_EQ(message.insets.size(), 1U);
  EXPECT_EQ(message.insets[0].payload.data(), bytes);
  EXPECT_LT(message.bytes.size(), 1'000U);
}

TEST(EncodeTest, KeepsLargePayloadsInTheirPlaces) {
  Message message;
  std::vector<std::string> payloads;
  for (const std::size_t size : {10U, 20'000U, 30'000U, 0U, 8'192U, 8'191U, 9'000U}) {
    payloads.emplace_back(size, static_cast<char>('a' + payloads.size()));
    Work work = Plain();
    work.payload = payloads.back();
    Append(std::move(work), message);
  }
  EXPECT_EQ(message.insets.size(), 4U);
  AppendFirstSequence(5, message);
  v1::PostWorkStreamRequest request;
  ASSERT_TRUE(request.ParseFromString(Joined(message)));
  EXPECT_EQ(request.first_sequence(), 5U);
  ASSERT_EQ(request.work_size(), 7);
  for (int i = 0; i < 7; ++i) {
    EXPECT_TRUE(request.work(i).payload() == payloads[static_cast<std::size_t>(i)]) << i;
  }
}

TEST(EncodeTest, CutsAMessageIntoItsItems) {
  const std::vector<Work> works = {Plain(), Full(), Work(), Plain()};
  std::string message;
  for (const Work& work : works) message += Encoded(work);
  std::string_view rest = message;
  for (const Work& work : works) EXPECT_EQ(CutItem(rest), Encoded(work));
  EXPECT_EQ(rest, "");
}

}  // namespace
}  // namespace workpool::client
