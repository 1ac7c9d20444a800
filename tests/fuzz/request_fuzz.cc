// Any bytes as each request: what is taken is within the rules, what is not is refused with a
// message that a client can read.
#include <grpcpp/server_context.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/names.h"
#include "rpc/filter_from_proto.h"
#include "rpc/page_token.h"
#include "rpc/pool_to_proto.h"
#include "rpc/post_items.h"
#include "rpc/post_message.h"
#include "rpc/status.h"
#include "rpc/time_convert.h"
#include "rpc/work_from_bytes.h"
#include "rpc/work_from_proto.h"
#include "workpool/v1/admin.pb.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {
namespace {

void CheckRefusal(const Error& error) {
  WORKPOOL_CHECK(error.code == ErrorCode::kBadField || error.code == ErrorCode::kNotServed);
  grpc::ServerContext context;
  const grpc::Status status = ToStatus(error, context);
  WORKPOOL_CHECK(!status.ok());
  WORKPOOL_CHECK(!status.error_message().empty());
  WORKPOOL_CHECK(ToValidUtf8(status.error_message(), 10'000) == status.error_message());
}

void CheckWork(const Result<Work>& work) {
  if (!work) return CheckRefusal(work.error());
  WORKPOOL_CHECK(work->priority >= 0);
  WORKPOOL_CHECK(!work->timeout || work->timeout->count() >= 0);
  WORKPOOL_CHECK(!work->wait_timeout || work->wait_timeout->count() >= 0);
}

template <typename Request>
void FuzzOne(const std::string& bytes) {
  Request request;
  if (request.ParseFromString(bytes)) CheckWork(WorkOf(request));
}

// `read` as ConvertItems wants it.
template <typename Read>
void FuzzItems(std::uint32_t size, const Read& read) {
  std::uint32_t refused = 0;
  const auto refuse = [&](std::uint32_t position, const Error& error) {
    WORKPOOL_CHECK(position < size);
    CheckRefusal(error);
    ++refused;
  };
  const PostItems items = ConvertItems(0, size, std::nullopt, read, refuse);
  WORKPOOL_CHECK(items.requests.size() + refused == size);
  std::size_t next = 0;
  for (std::size_t i = 0; i < items.requests.size(); ++i) {
    WORKPOOL_CHECK(items.positions.Of(i) >= next && items.positions.Of(i) < size);
    next = items.positions.Of(i) + 1;
  }
}

void FuzzBatch(const std::string& bytes) {
  v1::PostWorkBatchRequest request;
  if (!request.ParseFromString(bytes)) return;
  FuzzItems(static_cast<std::uint32_t>(request.work_size()), [&](std::uint32_t i, Work& work) {
    return ReadWork(*request.mutable_work(static_cast<int>(i)), work);
  });
}

bool Same(const Work& left, const Work& right) {
  return left.handler == right.handler && left.pool == right.pool &&
         left.payload == right.payload && left.content_type == right.content_type &&
         left.caller == right.caller && left.priority == right.priority &&
         left.weight == right.weight && left.timeout == right.timeout &&
         left.metadata == right.metadata && left.when_full == right.when_full &&
         left.wait_timeout == right.wait_timeout;
}

// What the generated classes read is read so too without them.
void CompareReading(std::string_view bytes) {
  v1::Work message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
  Work generated, own;
  const Result<void> wanted = ReadWork(message, generated);
  const Result<void> got = ReadWork(bytes, own);
  WORKPOOL_CHECK(wanted.has_value() == got.has_value());
  WORKPOOL_CHECK(wanted ? Same(own, generated) : wanted.error().message == got.error().message);
}

void FuzzStream(const std::string& bytes) {
  PostMessage message;
  const bool read = ReadPostMessage(bytes, message);
  v1::PostWorkStreamRequest generated;
  if (read && generated.ParseFromString(bytes)) {
    WORKPOOL_CHECK(message.first_sequence == generated.first_sequence());
    WORKPOOL_CHECK(std::ranges::equal(message.abandon, generated.abandon()));
    WORKPOOL_CHECK(message.items == static_cast<std::size_t>(generated.work_size()));
  }
  if (!read) return;
  for (const std::string_view work : message.work) CompareReading(work);
  FuzzItems(static_cast<std::uint32_t>(message.work.size()),
            [&](std::uint32_t i, Work& work) { return ReadWork(message.work[i], work); });
}

void FuzzList(const std::string& bytes) {
  v1::ListJobsRequest request;
  if (!request.ParseFromString(bytes)) return;
  const auto filter = FilterFromProto(request.filter());
  if (!filter) return CheckRefusal(filter.error());
  const auto before = ReadPageToken(request.page_token(), request.filter());
  if (!before) return CheckRefusal(before.error());
  if (*before != 0) {
    WORKPOOL_CHECK(MakePageToken(*before, request.filter()) == request.page_token());
  }
}

void FuzzCancel(const std::string& bytes) {
  v1::CancelJobsRequest request;
  if (!request.ParseFromString(bytes)) return;
  const auto target = TargetFromProto(request);
  if (!target) return CheckRefusal(target.error());
  const int named =
      (target->ids.empty() ? 0 : 1) + (target->filter.Empty() ? 0 : 1) + (target->all ? 1 : 0);
  WORKPOOL_CHECK(named == 1);
}

void FuzzAdmin(const std::string& bytes) {
  v1::ResizePoolRequest resize;
  if (resize.ParseFromString(bytes)) {
    const auto result = ResizeFromProto(resize);
    if (!result) CheckRefusal(result.error());
  }
  v1::WatchStatsRequest watch;
  if (watch.ParseFromString(bytes)) {
    const auto interval = FromProto("interval", watch.interval());
    if (!interval) CheckRefusal(interval.error());
  }
}

}  // namespace
}  // namespace workpool::rpc

// The first byte chooses the message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace workpool;
  using namespace workpool::rpc;
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 7) {
    case 0: FuzzOne<v1::PostWorkRequest>(bytes); break;
    case 1: FuzzOne<v1::RunWorkRequest>(bytes); break;
    case 2: FuzzBatch(bytes); break;
    case 3: FuzzStream(bytes); break;
    case 4: FuzzList(bytes); break;
    case 5: FuzzCancel(bytes); break;
    default: FuzzAdmin(bytes); break;
  }
  return 0;
}
