// PostWorkBatch: many posts in one call; answers when every item has its result.
#pragma once

#include <atomic>
#include <vector>

#include "jobs/dispatcher.h"
#include "rpc/call.h"
#include "rpc/post_items.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {

class BatchCall final : public Call, public std::enable_shared_from_this<BatchCall> {
 public:
  BatchCall(LiveCalls& live, grpc::CallbackServerContext& context, Dispatcher& dispatcher,
            v1::PostWorkBatchResponse& response)
      : Call(live, context), dispatcher_(dispatcher), response_(response) {}

  void Start(v1::PostWorkBatchRequest& request);

 private:
  void Offer(PostItems items);
  void OnPosted(std::size_t index, const Result<Posted>& posted);
  void OnCancel() override;
  void ItemsDone(int count);

  Dispatcher& dispatcher_;
  v1::PostWorkBatchResponse& response_;
  std::vector<Ticket> tickets_;  // of those that may wait for room
  // One more than the items without a result until all have been offered.
  std::atomic<int> missing_{0};
};

}  // namespace workpool::rpc
