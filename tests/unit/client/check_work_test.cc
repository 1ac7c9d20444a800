// What breaks a rule of its own is refused before it is sent: by every way to post.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "fakes/fake_workpool_server.h"
#include "workpool/client.h"
#include "workpool/post_stream.h"

namespace workpool::client {
namespace {

Work Echo(std::string caller) {
  Work work;
  work.handler = "echo";
  work.caller = std::move(caller);
  return work;
}

constexpr const char* kNotUtf8 = "\xff";

template <typename T>
void ExpectBadField(const Result<T>& result) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, StatusCode::kInvalidArgument);
  EXPECT_EQ(result.error().reason, "BAD_FIELD");
  EXPECT_EQ(result.error().message, "caller: \"\\xff\" is not valid UTF-8");
}

class CheckWorkTest : public ::testing::Test {
 protected:
  template <typename T>
  static Callback<T> Keep(std::promise<Result<T>>& promise) {
    return [&promise](Result<T> result) { promise.set_value(std::move(result)); };
  }

  fakes::FakeWorkpoolServer server_;
  Client client_{{.server = server_.address()}};
};

TEST_F(CheckWorkTest, NothingIsSentByAnyCall) {
  const Work bad = Echo(kNotUtf8);
  ExpectBadField(client_.Post(bad));
  ExpectBadField(client_.PostAndWait(bad));
  ExpectBadField(client_.Run(bad));
  ExpectBadField(client_.PostAsync(bad).get());
  std::promise<Result<Job>> ran;
  client_.RunAsync(bad, Keep<Job>(ran));
  ExpectBadField(ran.get_future().get());
  EXPECT_TRUE(server_.works().empty());
}

TEST_F(CheckWorkTest, APayloadThatNoMessageHoldsIsRefused) {
  Work work;
  work.handler = "echo";
  // Nothing is written to it, so it takes no memory.
  work.payload.resize_and_overwrite((std::size_t{1} << 30) + 1,
                                    [](char*, std::size_t n) { return n; });
  const auto checked = CheckWork(work);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().reason, "PAYLOAD_TOO_LARGE");
}

TEST_F(CheckWorkTest, ABatchSendsTheRest) {
  const std::vector<Work> works = {Echo("a"), Echo(kNotUtf8), Echo("c")};
  const auto check = [](const Result<BatchResult>& outcomes) {
    ASSERT_TRUE(outcomes);
    ASSERT_EQ(outcomes->size(), 3U);
    EXPECT_TRUE((*outcomes)[0]);
    ExpectBadField((*outcomes)[1]);
    EXPECT_TRUE((*outcomes)[2]);
    EXPECT_LT((*outcomes)[0]->id, (*outcomes)[2]->id);
  };
  check(client_.PostBatch(works));
  std::promise<Result<BatchResult>> later;
  client_.PostBatchAsync(works, Keep<BatchResult>(later));
  check(later.get_future().get());
  EXPECT_EQ(server_.works().size(), 4U);
}

TEST_F(CheckWorkTest, ABatchOfNothingElseIsNotSent) {
  const std::vector<Work> works = {Echo(kNotUtf8)};
  const auto outcomes = client_.PostBatch(works);
  ASSERT_TRUE(outcomes);
  ExpectBadField(outcomes->at(0));
  std::promise<Result<BatchResult>> later;
  client_.PostBatchAsync(works, Keep<BatchResult>(later));
  ExpectBadField(later.get_future().get()->at(0));
  EXPECT_TRUE(server_.works().empty());
}

TEST_F(CheckWorkTest, AStreamSendsNoneOfTheMessageAndGoesOn) {
  const auto stream = client_.OpenStream();
  ExpectBadField(stream->Send(std::vector<Work>{Echo("a"), Echo(kNotUtf8)}));
  EXPECT_EQ(stream->Send(std::vector<Work>{Echo("b")}), 1U);
  stream->DoneSending();
  while (stream->Read()) {
  }
  EXPECT_TRUE(stream->Finish());
  EXPECT_EQ(server_.works().size(), 1U);
}

}  // namespace
}  // namespace workpool::client
