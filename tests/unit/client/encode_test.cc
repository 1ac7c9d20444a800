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

std::string Encoded(const Work& work) {
  std::string request;
  AppendItem(work, EncodedSize(work), request);
  return request;
}

// The generated classes' encoding of the same.
std::string Expected(const Work& work) {
  v1::PostWorkStreamRequest request;
  Fill(work, request.add_work());
  return request.SerializeAsString();
}

TEST(EncodeTest, WritesAWorkAsTheGeneratedClassesDo) {
  for (const Work& work : {Work(), Plain(), Full()}) {
    EXPECT_EQ(Encoded(work), Expected(work));
    v1::Work proto;
    Fill(work, &proto);
    EXPECT_EQ(EncodedSize(work), proto.ByteSizeLong());
  }
}

TEST(EncodeTest, WritesEveryWayToBeFull) {
  Work work = Plain();
  for (const WhenFull when_full : {WhenFull::kPoolDefault, WhenFull::kReject, WhenFull::kWait}) {
    work.when_full = when_full;
    EXPECT_EQ(Encoded(work), Expected(work));
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
    EXPECT_EQ(Encoded(work), Expected(work)) << duration.count();
  }
}

TEST(EncodeTest, WritesLongNumbersAndTexts) {
  Work work = Plain();
  work.weight = work.priority = std::numeric_limits<std::uint32_t>::max();
  for (const std::size_t size : {127U, 128U, 16'383U, 16'384U, 3'000'000U}) {
    work.payload = std::string(size, 'x');
    EXPECT_EQ(Encoded(work), Expected(work)) << size;
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
  std::string message = Encoded(Plain()) + Encoded(Full());
  AppendFirstSequence(1'000'000, message);
  AppendAbandoned(std::vector<std::uint64_t>{3, 1'000'000'000'000}, message);
  v1::PostWorkStreamRequest request;
  ASSERT_TRUE(request.ParseFromString(message));
  EXPECT_EQ(request.work_size(), 2);
  EXPECT_EQ(request.first_sequence(), 1'000'000U);
  EXPECT_THAT(request.abandon(), ElementsAre(3U, 1'000'000'000'000U));
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
