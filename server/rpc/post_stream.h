// PostWorkStream: posts without end, see workpool.proto and stream_flow.h.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "jobs/dispatcher.h"
#include "rpc/live_calls.h"
#include "rpc/post_items.h"
#include "rpc/post_message.h"
#include "rpc/stream_flow.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {

class PostStream final : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                         public EndlessCall,
                         public std::enable_shared_from_this<PostStream> {
 public:
  PostStream(grpc::CallbackServerContext& context, Dispatcher& dispatcher, LiveCalls& live,
             const StreamWindow& window);

  static PostStream* Launch(grpc::CallbackServerContext& context, Dispatcher& dispatcher,
                            LiveCalls& live, const StreamWindow& window);

 private:
  // The items of one message.
  struct Chunk {
    std::uint64_t first_sequence = 0;
    std::uint64_t item_bytes = 0;  // what each counts
    ItemPositions positions;
    std::vector<bool> done;       // by index among those offered
    std::vector<Ticket> tickets;  // empty until all are offered
  };

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  bool InternalInlineable() override { return true; }  // see Call
  void End() override;

  void OnMessage();
  void OfferItems(const PostMessage& message);
  void OnResult(Chunk& chunk, std::size_t index, const Result<Posted>& posted);
  void AddRefusal(const Chunk& chunk, std::size_t position, const Error& error);
  void KeepTickets(Chunk& chunk, const std::vector<Ticket>& tickets);
  void ForgetTicket(const Chunk& chunk, std::size_t index) REQUIRES(mutex_);
  void AbandonListed(const std::vector<std::uint64_t>& sequences);
  void Abandon(const std::vector<Ticket>& tickets);
  void Drive();
  void Perform(StreamFlow::Step step, const v1::PostWorkStreamResponse* message);
  void Write(const v1::PostWorkStreamResponse& message);
  grpc::Status FinalStatus();

  grpc::CallbackServerContext& context_;
  Dispatcher& dispatcher_;
  LiveCalls& live_;
  const std::optional<SteadyTime> deadline_;
  std::shared_ptr<PostStream> self_;  // until gRPC is done
  grpc::ByteBuffer request_;          // gRPC's while it reads, then OnReadDone's
  grpc::ByteBuffer response_;         // gRPC's while it writes

  Mutex mutex_;
  StreamFlow flow_ GUARDED_BY(mutex_);
  // One thread at a time starts reads, writes and the end, so that none of them follows the end.
  bool driving_ GUARDED_BY(mutex_) = false;
  // Posts that may still wait for room, by sequence number.
  std::unordered_multimap<std::uint64_t, Ticket> waiting_ GUARDED_BY(mutex_);
};

}  // namespace workpool::rpc
