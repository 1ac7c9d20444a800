// Any bytes as each request: what is taken is within the rules, what is not is refused with a
// message that a client can read.
#include <grpcpp/server_context.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/names.h"
#include "rpc/filter_from_proto.h"
#include "rpc/page_token.h"
#include "rpc/pool_to_proto.h"
#include "rpc/post_items.h"
#include "rpc/status.h"
#include "rpc/time_convert.h"
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

template <typename Request>
void FuzzItems(const std::string& bytes) {
  Request request;
  if (!request.ParseFromString(bytes)) return;
  const auto size = static_cast<std::size_t>(request.work_size());
  std::size_t refused = 0;
  const PostItems items = ConvertItems(*request.mutable_work(), 0, request.work_size(),
                                       std::nullopt, [&](std::size_t position, const Error& error) {
                                         WORKPOOL_CHECK(position < size);
                                         CheckRefusal(error);
                                         ++refused;
                                       });
  WORKPOOL_CHECK(items.requests.size() + refused == size);
  std::size_t next = 0;
  for (std::size_t i = 0; i < items.requests.size(); ++i) {
    WORKPOOL_CHECK(items.positions.Of(i) >= next && items.positions.Of(i) < size);
    next = items.positions.Of(i) + 1;
  }
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
    case 2: FuzzItems<v1::PostWorkBatchRequest>(bytes); break;
    case 3: FuzzItems<v1::PostWorkStreamRequest>(bytes); break;
    case 4: FuzzList(bytes); break;
    case 5: FuzzCancel(bytes); break;
    default: FuzzAdmin(bytes); break;
  }
  return 0;
}
