#include "lane_stream.h"

#include <string>
#include <utility>

#include "lane.h"
#include "status.h"

namespace workpool::client {

namespace {

// For the posts that the stream leaves without an answer.
Error LostWith(const grpc::Status& status, const grpc::ClientContext& context) {
  Error error{StatusCode::kUnavailable, {}, "the daemon ended the stream", {}};
  if (!status.ok()) error.message = ErrorOf(status, context).message;
  return error;
}

}  // namespace

LaneStream::Departure::~Departure() { lane->OnStreamGone(); }

LaneStream::LaneStream(std::shared_ptr<Lane> lane)
    : departure_(std::move(lane)), lane_(*departure_.lane) {}

void LaneStream::Open(v1::WorkPool::Stub& stub, Poller& poller,
                      const v1::PostWorkStreamRequest& request) {
  self_ = shared_from_this();
  // The start goes out with the first message and so needs no event of its own.
  context_.set_initial_metadata_corked(true);
  call_ = stub.PrepareAsyncPostWorkStream(&context_, &poller.queue());
  poller.Publish();
  call_->StartCall(nullptr);
  call_->Write(request, &written_);
  call_->Read(&answer_, &read_);
}

void LaneStream::OnWritten(bool ok) { lane_.OnWritten(ok); }

void LaneStream::OnRead(bool ok) {
  if (!ok) return lane_.OnReadEnd();
  lane_.OnAnswer(answer_);
  call_->Read(&answer_, &read_);
}

void LaneStream::OnFinished(bool) {
  const std::shared_ptr<LaneStream> self = std::move(self_);
  lane_.OnEnded(LostWith(status_, context_));
}

}  // namespace workpool::client
