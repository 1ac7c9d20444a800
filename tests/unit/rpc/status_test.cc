#include "rpc/status.h"

#include <grpcpp/server_context.h>
#include <grpcpp/test/server_context_test_spouse.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace workpool::rpc {
namespace {

struct Row {
  ErrorCode code;
  grpc::StatusCode status;
  std::string reason;
};

// The table of the design, and what the .proto says about the rest.
const Row kTable[] = {
    {ErrorCode::kQueueFull, grpc::RESOURCE_EXHAUSTED, "QUEUE_FULL"},
    {ErrorCode::kKeysFull, grpc::RESOURCE_EXHAUSTED, "KEYS_FULL"},
    {ErrorCode::kWaitTimeout, grpc::DEADLINE_EXCEEDED, "WAIT_TIMEOUT"},
    {ErrorCode::kPayloadTooLarge, grpc::INVALID_ARGUMENT, "PAYLOAD_TOO_LARGE"},
    {ErrorCode::kBadField, grpc::INVALID_ARGUMENT, "BAD_FIELD"},
    {ErrorCode::kBadConfig, grpc::INVALID_ARGUMENT, "BAD_FIELD"},
    {ErrorCode::kDraining, grpc::UNAVAILABLE, "DRAINING"},
    {ErrorCode::kStoreUnavailable, grpc::UNAVAILABLE, "STORE_UNAVAILABLE"},
    {ErrorCode::kUnknownPool, grpc::NOT_FOUND, "UNKNOWN_POOL"},
    {ErrorCode::kUnknownHandler, grpc::NOT_FOUND, "UNKNOWN_HANDLER"},
    {ErrorCode::kUnknownJob, grpc::NOT_FOUND, "UNKNOWN_JOB"},
    {ErrorCode::kJobForgotten, grpc::NOT_FOUND, "JOB_FORGOTTEN"},
    {ErrorCode::kKeyTaken, grpc::FAILED_PRECONDITION, "KEY_TAKEN"},
    {ErrorCode::kStaleLease, grpc::FAILED_PRECONDITION, "STALE_LEASE"},
    {ErrorCode::kWrongState, grpc::FAILED_PRECONDITION, "WRONG_STATE"},
    {ErrorCode::kNotServed, grpc::UNIMPLEMENTED, "NOT_SERVED"},
    {ErrorCode::kCancelled, grpc::CANCELLED, "CANCELLED"},
    // Whether the job was accepted is not known, so no reason may promise that it was not.
    {ErrorCode::kShuttingDown, grpc::UNAVAILABLE, ""},
    {ErrorCode::kInternal, grpc::INTERNAL, ""},
};

std::multimap<std::string, std::string> Trailing(const Error& error) {
  grpc::ServerContext context;
  ToStatus(error, context);
  return grpc::testing::ServerContextTestSpouse(&context).GetTrailingMetadata();
}

TEST(Status, EveryErrorHasItsStatusAndReason) {
  for (const Row& row : kTable) {
    SCOPED_TRACE(std::string(ReasonOf(row.code)));
    grpc::ServerContext context;
    const grpc::Status status = ToStatus({row.code, "said", {}}, context);
    EXPECT_EQ(status.error_code(), row.status);
    EXPECT_EQ(status.error_message(), "said");
    const auto trailing = Trailing({row.code, "said", {}});
    const auto reason = trailing.find("workpool-reason");
    EXPECT_EQ(reason == trailing.end() ? "" : reason->second, row.reason);
  }
}

TEST(Status, EveryItemsErrorSaysTheSame) {
  for (const Row& row : kTable) {
    v1::PostRefusal refusal;
    ToProto(Error{row.code, "said", {}}, refusal);
    EXPECT_EQ(refusal.code(), row.status);
    EXPECT_EQ(refusal.reason(), row.reason);
    EXPECT_EQ(refusal.message(), "said");
  }
}

TEST(Status, OnlyAFullQueuePushesBack) {
  const auto full = Trailing({ErrorCode::kQueueFull, "full", std::chrono::milliseconds(1234)});
  ASSERT_TRUE(full.contains("grpc-retry-pushback-ms"));
  EXPECT_EQ(full.find("grpc-retry-pushback-ms")->second, "1234");
  const auto keys = Trailing({ErrorCode::kKeysFull, "full", std::chrono::milliseconds(1234)});
  EXPECT_FALSE(keys.contains("grpc-retry-pushback-ms"));

  v1::PostRefusal refusal;
  ToProto(Error{ErrorCode::kQueueFull, "full", std::chrono::milliseconds(1234)}, refusal);
  EXPECT_EQ(refusal.retry_after().seconds(), 1);
  EXPECT_EQ(refusal.retry_after().nanos(), 234'000'000);
}

TEST(Status, MessagesAreValidTextOfBoundedLength) {
  const std::string bytes = std::string(100'000, '\xff') + std::string(1, '\0');
  grpc::ServerContext context;
  const grpc::Status status = ToStatus({ErrorCode::kBadField, bytes, {}}, context);
  EXPECT_LE(status.error_message().size(), 2000U);
  EXPECT_EQ(status.error_message().substr(0, 3), "\xEF\xBF\xBD");

  // 10,000 of them must fit 4 MiB together with their numbers.
  v1::PostResult result;
  result.set_sequence(~std::uint64_t{0});
  ToProto(Error{ErrorCode::kQueueFull, bytes, std::chrono::seconds(5)}, *result.mutable_refusal());
  EXPECT_LT(result.ByteSizeLong() * 10'000, std::size_t{4} << 20);
}

}  // namespace
}  // namespace workpool::rpc
