// One PostWorkStream call of a lane.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <memory>
#include <utility>

#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::client {

class Lane;

// Keeps itself and its lane alive until the call has ended. The lane sees to it that Open comes
// first, that one Write is under way at a time, and that Release comes once, after the
// last of them.
class LaneStream final
    : public grpc::ClientBidiReactor<v1::PostWorkStreamRequest, v1::PostWorkStreamResponse>,
      public std::enable_shared_from_this<LaneStream> {
 public:
  explicit LaneStream(std::shared_ptr<Lane> lane);

  // Starts the call with its first message.
  void Open(v1::WorkPool::Stub& stub, v1::PostWorkStreamRequest* request);
  void Write(v1::PostWorkStreamRequest* request) { StartWrite(request); }
  // The call may end.
  void Release() { RemoveHold(); }
  // From any thread.
  void Cancel() { context_.TryCancel(); }

 private:
  void OnWriteDone(bool ok) override;
  void OnReadDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  // Tells the lane when the context is gone, for that keeps the channel alive.
  struct Departure {
    std::shared_ptr<Lane> lane;
    explicit Departure(std::shared_ptr<Lane> of) : lane(std::move(of)) {}
    ~Departure();
    Departure(const Departure&) = delete;
    Departure& operator=(const Departure&) = delete;
  };

  const Departure departure_;
  Lane& lane_;
  std::shared_ptr<LaneStream> self_;
  grpc::ClientContext context_;
  v1::PostWorkStreamResponse answer_;
};

}  // namespace workpool::client
