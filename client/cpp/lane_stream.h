// One PostWorkStream call of a lane.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>

#include <memory>
#include <utility>
#include <vector>

#include "acceptances.h"
#include "encode.h"
#include "poller.h"

namespace workpool::client {

class Lane;

// Keeps itself and its lane alive until the call has ended. The lane sees to it that Open comes
// first, that one write is under way at a time, that nothing is written after Finish, and that
// Finish comes once, after the last read has failed.
class LaneStream final : public std::enable_shared_from_this<LaneStream> {
 public:
  explicit LaneStream(std::shared_ptr<Lane> lane);

  // Starts the call with its first message.
  void Open(grpc::GenericStub& stub, Poller& poller, Message message);
  void Write(Message message);
  // Asks how the call has ended.
  void Finish() { call_->Finish(&status_, &finished_); }
  // From any thread.
  void Cancel() { context_.TryCancel(); }

 private:
  class Reaction final : public Poller::Event {
   public:
    using Method = void (LaneStream::*)(bool ok);
    Reaction(LaneStream& stream, Method method) : stream_(stream), method_(method) {}
    void Happen(bool ok) override { (stream_.*method_)(ok); }

   private:
    LaneStream& stream_;
    const Method method_;
  };

  void OnWritten(bool ok);
  void OnRead(bool ok);
  void OnFinished(bool ok);
  // False if it is no answer.
  bool TakeAnswer();

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
  grpc::Status status_;
  grpc::ByteBuffer answer_;
  bool unreadable_ = false;  // an answer was
  std::vector<Acceptance> acceptances_;
  Reaction written_{*this, &LaneStream::OnWritten};
  Reaction read_{*this, &LaneStream::OnRead};
  Reaction finished_{*this, &LaneStream::OnFinished};
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
};

}  // namespace workpool::client
