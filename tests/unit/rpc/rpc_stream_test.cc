// PostWorkStream through a real channel.
#include <map>
#include <vector>

#include "unit/rpc/rpc_rig.h"

namespace workpool::rpc {
namespace {

class RpcStream : public RpcRig {
 protected:
  // A window of 10 waiting items.
  RpcStream() : RpcRig(RpcOptions{.stream_window_items = 10}) {}

  using Results = std::map<std::uint64_t, v1::PostResult>;

  void Open() { stream = work_pool->PostWorkStream(&context); }
  bool Send(std::uint64_t first, const std::vector<v1::Work>& items) {
    v1::PostWorkStreamRequest request;
    request.set_first_sequence(first);
    for (const v1::Work& work : items) *request.add_work() = work;
    return stream->Write(request);
  }
  // Reads until there are that many results, or the stream ends.
  Results Read(std::size_t count) {
    Results results;
    v1::PostWorkStreamResponse response;
    while (results.size() < count && stream->Read(&response)) {
      for (const auto& result : response.results()) results[result.sequence()] = result;
    }
    return results;
  }
  // Field 2 is an item, field 3 a list of numbers; here what they hold is neither.
  static v1::PostWorkStreamRequest WithBroken(int field, const std::string& content) {
    v1::PostWorkStreamRequest request;
    request.set_first_sequence(1);
    *request.add_work() = NewWork("echo");
    request.GetReflection()->MutableUnknownFields(&request)->AddLengthDelimited(field, content);
    return request;
  }
  static v1::Work Waiting() {
    v1::Work work = NewWork("held", "", "small");
    work.set_when_full(v1::WHEN_FULL_WAIT);
    return work;
  }

  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReaderWriter<v1::PostWorkStreamRequest, v1::PostWorkStreamResponse>>
      stream;
};

TEST_F(RpcStream, EveryItemGetsItsResultByItsNumber) {
  Open();
  ASSERT_TRUE(Send(100, {NewWork("echo"), NewWork("nobody"), NewWork("echo")}));
  ASSERT_TRUE(Send(7, {NewWork("echo")}));
  const Results results = Read(4);
  ASSERT_EQ(results.size(), 4U);
  EXPECT_GT(results.at(100).id(), 0U);
  EXPECT_EQ(results.at(101).refusal().reason(), "UNKNOWN_HANDLER");
  EXPECT_GT(results.at(102).id(), 0U);
  EXPECT_GT(results.at(7).id(), 0U);
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(RpcStream, HalfCloseEndsAfterAllResults) {
  FillSmall();
  Open();
  ASSERT_TRUE(Send(1, {Waiting(), NewWork("echo")}));
  stream->WritesDone();
  EXPECT_EQ(Read(1).begin()->first, 2U);
  Release();
  const Results last = Read(2);
  ASSERT_EQ(last.size(), 1U);
  EXPECT_GT(last.at(1).id(), 0U);
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(RpcStream, AnItemThatCannotBeReadIsRefusedAlone) {
  Open();
  ASSERT_TRUE(stream->Write(WithBroken(2, "\x0a\x63...")));
  const Results results = Read(2);
  ASSERT_EQ(results.size(), 2U);
  EXPECT_GT(results.at(1).id(), 0U);
  EXPECT_EQ(results.at(2).refusal().reason(), "BAD_FIELD");
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(RpcStream, AMessageThatCannotBeReadEndsIt) {
  Open();
  ASSERT_TRUE(stream->Write(WithBroken(3, "\x80")));
  EXPECT_TRUE(Read(1).empty());
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(ReasonOf(context), "BAD_FIELD");
  EXPECT_NE(status.error_message().find("no PostWorkStreamRequest"), std::string::npos);
}

TEST_F(RpcStream, AnAbandonedItemEndsCancelledAndTheOthersGoOn) {
  FillSmall();
  Open();
  ASSERT_TRUE(Send(1, {Waiting(), Waiting(), Waiting()}));
  ASSERT_TRUE(Eventually([&] { return Pool("small").stats.waiting == 3; }));
  v1::PostWorkStreamRequest abandon;
  abandon.add_abandon(2);
  abandon.add_abandon(77);  // unknown: harmless
  ASSERT_TRUE(stream->Write(abandon));
  const Results results = Read(1);
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results.at(2).refusal().code(), grpc::CANCELLED);
  EXPECT_EQ(Pool("small").stats.waiting, 2U);
}

TEST_F(RpcStream, AClientThatVanishesGivesUpItsWaits) {
  FillSmall();
  Open();
  ASSERT_TRUE(Send(1, {Waiting(), Waiting(), Waiting()}));
  ASSERT_TRUE(Eventually([&] { return Pool("small").stats.waiting == 3; }));
  context.TryCancel();
  EXPECT_EQ(stream->Finish().error_code(), grpc::CANCELLED);
  EXPECT_TRUE(Eventually([&] { return Pool("small").stats.waiting == 0; }));
  EXPECT_EQ(Pool("small").stats.accepted, 2U);
}

// HTTP/2 flow control reaches the producer: its writes end long before all are out.
TEST_F(RpcStream, ItIsNotReadBeyondItsWindow) {
  FillSmall();
  Open();
  std::atomic<int> sent{0};
  constexpr int kMessages = 200;
  v1::Work heavy = Waiting();
  heavy.set_payload(std::string(100'000, 'x'));
  std::thread producer([&] {
    while (sent < kMessages && Send(static_cast<std::uint64_t>(sent.load()), {heavy})) ++sent;
  });
  ASSERT_TRUE(Eventually([&] { return Pool("small").stats.waiting == 11; }));
  const JobId probe = PostOne(NewWork("echo"));  // others are served meanwhile
  EXPECT_TRUE(Eventually([&] { return State(probe) == JobState::kSucceeded; }));
  EXPECT_EQ(Pool("small").stats.waiting, 11U);
  EXPECT_LT(sent, kMessages);
  // Each result lets it be read further.
  Release();
  EXPECT_EQ(Read(1).size(), 1U);
  EXPECT_TRUE(Eventually([&] { return Pool("small").stats.waiting == 11; }));
  context.TryCancel();
  producer.join();
}

TEST_F(RpcStream, AMessageOfTooManyItemsEndsTheStreamWithTheRule) {
  Open();
  std::vector<v1::Work> items(10'001);
  ASSERT_TRUE(Send(1, items));
  EXPECT_TRUE(Read(1).empty());
  const auto status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(ReasonOf(context), "BAD_FIELD");
}

TEST_F(RpcStream, ShutdownEndsAnIdleStreamAndSaysThatNothingWasLost) {
  Open();
  ASSERT_TRUE(Send(1, {NewWork("echo")}));
  ASSERT_EQ(Read(1).size(), 1U);
  const auto begin = SteadyTime::clock::now();
  server->Shutdown(begin + kHang);
  EXPECT_LT(SteadyTime::clock::now() - begin, kHang / 2);
  const auto status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::UNAVAILABLE) << status.error_message();
  EXPECT_EQ(ReasonOf(context), "DRAINING");
}

TEST_F(RpcStream, ShutdownSendsTheResultsThatAreOwed) {
  FillSmall();
  Open();
  ASSERT_TRUE(Send(1, {Waiting()}));
  ASSERT_TRUE(Eventually([&] { return Pool("small").stats.waiting == 1; }));
  std::thread shutdown([&] { server->Shutdown(SteadyTime::clock::now() + kHang); });
  dispatcher->StopAccepting(false, [] {});
  const Results results = Read(1);
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results.at(1).refusal().reason(), "DRAINING");
  EXPECT_EQ(stream->Finish().error_code(), grpc::UNAVAILABLE);
  shutdown.join();
}

}  // namespace
}  // namespace workpool::rpc
