#include "workpool/post_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/fake_workpool_server.h"
#include "workpool/client.h"

namespace workpool::client {
namespace {

std::vector<Work> Works(int count) {
  Work work;
  work.handler = "echo";
  return std::vector<Work>(static_cast<std::size_t>(count), work);
}

class PostStreamTest : public ::testing::Test {
 protected:
  fakes::FakeWorkpoolServer server_;
  Client client_{{.server = server_.address()}};
};

TEST_F(PostStreamTest, NumbersItemsAndAnswersEach) {
  const auto stream = client_.OpenStream();
  EXPECT_EQ(stream->Send(Works(3)), 1U);
  EXPECT_EQ(stream->Send(Works(2)), 4U);
  stream->DoneSending();
  std::vector<std::uint64_t> sequences;
  while (const auto results = stream->Read()) {
    for (const StreamResult& result : *results) {
      EXPECT_TRUE(result.outcome);
      sequences.push_back(result.sequence);
    }
  }
  EXPECT_THAT(sequences, ::testing::ElementsAre(1, 2, 3, 4, 5));
  EXPECT_TRUE(stream->Finish());
}

TEST_F(PostStreamTest, PassesAbandonedItemsOn) {
  const auto stream = client_.OpenStream();
  ASSERT_TRUE(stream->Send(Works(1)));
  const std::vector<std::uint64_t> gone = {1};
  ASSERT_TRUE(stream->Abandon(gone));
  ASSERT_TRUE(server_.AwaitMessages(2));
  EXPECT_EQ(server_.messages().at(1).abandon(0), 1U);
}

TEST_F(PostStreamTest, SaysWhyItEnded) {
  server_.set_on_stream([](grpc::ServerContext& context, fakes::FakeWorkpoolServer::Stream&) {
    context.AddTrailingMetadata("workpool-reason", "DRAINING");
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "shutting down");
  });
  const auto stream = client_.OpenStream();
  EXPECT_FALSE(stream->Read());
  const auto end = stream->Finish();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, StatusCode::kUnavailable);
  EXPECT_EQ(end.error().reason, "DRAINING");
}

TEST_F(PostStreamTest, MayBeDroppedAtAnyTime) {
  server_.Hold();
  const auto stream = client_.OpenStream();
  ASSERT_TRUE(stream->Send(Works(1)));
}

}  // namespace
}  // namespace workpool::client
