#include "rpc/stream_flow.h"

#include <gtest/gtest.h>

namespace workpool::rpc {
namespace {

using Step = StreamFlow::Step;

// A stream that has read `items` items, which all wait.
StreamFlow Waiting(std::uint64_t items, std::uint64_t bytes, const StreamWindow& window = {}) {
  StreamFlow flow(window);
  EXPECT_EQ(flow.Next(), Step::kRead);
  EXPECT_TRUE(flow.BeginOffer(items, bytes));
  EXPECT_EQ(flow.Next(), Step::kNone);
  flow.EndOffer();
  return flow;
}

TEST(StreamFlow, ReadsOneMessageAtATime) {
  StreamFlow flow({});
  EXPECT_EQ(flow.Next(), Step::kRead);
  EXPECT_EQ(flow.Next(), Step::kNone);
  ASSERT_TRUE(flow.BeginOffer(0, 0));
  flow.EndOffer();
  EXPECT_EQ(flow.Next(), Step::kRead);
}

TEST(StreamFlow, ResultsGatherWhileAWriteIsUnderWay) {
  StreamFlow flow = Waiting(4, 0);
  EXPECT_EQ(flow.Next(), Step::kRead);
  flow.AddResult(0).set_sequence(1);
  ASSERT_EQ(flow.Next(), Step::kWrite);
  flow.AddResult(0).set_sequence(2);
  flow.AddResult(0).set_sequence(3);
  EXPECT_EQ(flow.Next(), Step::kNone);
  EXPECT_EQ(flow.message().results_size(), 1);
  flow.Written();
  ASSERT_EQ(flow.Next(), Step::kWrite);
  ASSERT_EQ(flow.message().results_size(), 2);
  EXPECT_EQ(flow.message().results(1).sequence(), 3U);
}

TEST(StreamFlow, AnOfferedMessagesResultsGoOutTogether) {
  StreamFlow flow({});
  EXPECT_EQ(flow.Next(), Step::kRead);
  ASSERT_TRUE(flow.BeginOffer(3, 0));
  for (int i = 0; i < 3; ++i) {
    flow.AddResult(0);
    EXPECT_EQ(flow.Next(), Step::kNone);
  }
  flow.EndOffer();
  ASSERT_EQ(flow.Next(), Step::kWrite);
  EXPECT_EQ(flow.message().results_size(), 3);
}

TEST(StreamFlow, ReadsNoFurtherBeyondTheWindowOfItems) {
  StreamFlow flow = Waiting(11, 0, {10, 1000});
  EXPECT_EQ(flow.Next(), Step::kNone);
  flow.AddResult(0);
  EXPECT_EQ(flow.Next(), Step::kWrite);
  EXPECT_EQ(flow.Next(), Step::kRead);
}

TEST(StreamFlow, ReadsNoFurtherBeyondTheWindowOfBytes) {
  StreamFlow flow = Waiting(2, 1002, {10, 1000});
  EXPECT_EQ(flow.Next(), Step::kNone);
  flow.AddResult(501);
  EXPECT_EQ(flow.Next(), Step::kWrite);
  EXPECT_EQ(flow.Next(), Step::kRead);
}

TEST(StreamFlow, ReadsNoFurtherWhileTheClientReadsNoResults) {
  StreamFlow flow({});
  int messages = 0;
  while (true) {
    const Step step = flow.Next();
    if (step == Step::kNone) break;
    if (step == Step::kWrite) continue;  // and it never ends
    ASSERT_LT(++messages, 100);
    ASSERT_TRUE(flow.BeginOffer(10'000, 0));
    for (int i = 0; i < 10'000; ++i) flow.AddResult(0);
    flow.EndOffer();
  }
  EXPECT_LT(messages, 10);
}

TEST(StreamFlow, NoMessageIsLargerThanAStockClientTakes) {
  StreamFlow flow = Waiting(10'000, 0);
  for (int i = 0; i < 10'000; ++i) {
    v1::PostResult& result = flow.AddResult(0);
    result.set_sequence(~std::uint64_t{0});
    result.mutable_refusal()->set_message(std::string(300, 'x'));
    result.mutable_refusal()->set_reason("STORE_UNAVAILABLE");
  }
  flow.EndReads(std::nullopt);
  int written = 0;
  while (flow.Next() == Step::kWrite) {
    EXPECT_LT(flow.message().ByteSizeLong(), std::size_t{4} << 20);
    written += flow.message().results_size();
    flow.Written();
  }
  EXPECT_EQ(written, 10'000);
}

TEST(StreamFlow, AHalfClosedStreamEndsAfterItsLastResult) {
  StreamFlow flow = Waiting(2, 0);
  EXPECT_EQ(flow.Next(), Step::kRead);
  flow.EndReads(std::nullopt);
  EXPECT_EQ(flow.Next(), Step::kNone);
  flow.AddResult(0);
  flow.AddResult(0);
  EXPECT_EQ(flow.Next(), Step::kWrite);
  EXPECT_EQ(flow.Next(), Step::kNone);
  flow.Written();
  EXPECT_EQ(flow.Next(), Step::kFinish);
  EXPECT_FALSE(flow.error());
  EXPECT_EQ(flow.Next(), Step::kNone);
}

TEST(StreamFlow, TheFirstReasonToEndCounts) {
  StreamFlow flow({});
  EXPECT_EQ(flow.Next(), Step::kRead);
  flow.EndReads(Error{ErrorCode::kBadField, "first", {}});
  flow.EndReads(Error{ErrorCode::kDraining, "second", {}});
  EXPECT_EQ(flow.Next(), Step::kFinish);
  ASSERT_TRUE(flow.error());
  EXPECT_EQ(flow.error()->message, "first");
}

TEST(StreamFlow, ACancelledStreamEndsAtOnceButNotBeforeItsWrite) {
  StreamFlow flow = Waiting(2, 0);
  EXPECT_EQ(flow.Next(), Step::kRead);
  flow.AddResult(0);
  EXPECT_EQ(flow.Next(), Step::kWrite);
  flow.Cancel();
  EXPECT_EQ(flow.Next(), Step::kNone);
  flow.Written();
  EXPECT_EQ(flow.Next(), Step::kFinish);
}

TEST(StreamFlow, AMessageAfterTheEndIsNotOffered) {
  StreamFlow flow({});
  EXPECT_EQ(flow.Next(), Step::kRead);
  flow.EndReads(Error{});
  EXPECT_EQ(flow.Next(), Step::kFinish);
  EXPECT_FALSE(flow.BeginOffer(1, 1));
}

}  // namespace
}  // namespace workpool::rpc
