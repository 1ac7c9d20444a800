#include "rpc/batch_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "rpc/post_message.h"
#include "rpc/time_convert.h"
#include "rpc/work_from_proto.h"

namespace workpool::rpc {
namespace {

// So many items are converted and offered before the next: what that takes stays in a core's cache,
// and the first jobs run while the last are still read.
constexpr std::uint32_t kStretch = 128;

}  // namespace

void BatchCall::Start(v1::PostWorkBatchRequest& request) {
  const auto count = static_cast<std::uint32_t>(request.work_size());
  if (count < 1 || count > kMaxBatchItems) {
    return Refuse({ErrorCode::kBadField,
                   fmt::format("work: {} items, a batch holds 1 to {}", count, kMaxBatchItems),
                   {}});
  }
  response_.mutable_results()->Reserve(request.work_size());
  for (std::uint32_t i = 0; i < count; ++i) response_.add_results();
  missing_.store(request.work_size() + 1, std::memory_order_relaxed);
  const std::optional<SteadyTime> deadline = ToSteady(context().deadline());
  const auto read = [&](std::uint32_t position, Work& work) {
    return ReadWork(*request.mutable_work(static_cast<int>(position)), work);
  };
  int refused = 0;
  const auto refuse = [&](std::uint32_t position, const Error& error) {
    ToProto(std::unexpected(error), *response_.mutable_results(static_cast<int>(position)));
    ++refused;
  };
  for (std::uint32_t first = 0; first < count; first += kStretch) {
    Offer(ConvertItems(first, std::min(first + kStretch, count), deadline, read, refuse));
  }
  ItemsDone(refused + 1);
}

void BatchCall::Offer(PostItems items) {
  const std::vector<Ticket> tickets =
      dispatcher_.PostBatch(std::move(items.requests),
                            [self = shared_from_this(), positions = std::move(items.positions)](
                                std::size_t index, const Result<Posted>& posted) {
                              self->OnPosted(positions.Of(index), posted);
                            });
  std::ranges::copy_if(tickets, std::back_inserter(tickets_),
                       [](Ticket ticket) { return ticket != 0; });
}

void BatchCall::OnPosted(std::size_t index, const Result<Posted>& posted) {
  ToProto(posted, *response_.mutable_results(static_cast<int>(index)));
  ItemsDone(1);
}

// Each item writes its own result and nobody else reads it before the last one is done.
void BatchCall::ItemsDone(int count) {
  if (missing_.fetch_sub(count, std::memory_order_acq_rel) == count && Claim()) {
    Finish(grpc::Status::OK);
  }
}

// gRPC keeps the response until Finish, and Finish waits for the last item: abandoned ones answer
// soon, the others already have.
void BatchCall::OnCancel() {
  for (const Ticket ticket : tickets_) dispatcher_.Abandon(ticket);
}

}  // namespace workpool::rpc
