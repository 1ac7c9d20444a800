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

void LaneStream::Open(v1::WorkPool::Stub& stub, v1::PostWorkStreamRequest* request) {
  self_ = shared_from_this();
  stub.async()->PostWorkStream(&context_, this);
  // The lane writes from outside of the reactions.
  AddHold();
  StartRead(&answer_);
  StartWrite(request);
  StartCall();
}

void LaneStream::OnWriteDone(bool ok) { lane_.OnWritten(ok); }

void LaneStream::OnReadDone(bool ok) {
  if (!ok) return lane_.OnReadEnd();
  lane_.OnAnswer(answer_);
  StartRead(&answer_);
}

void LaneStream::OnDone(const grpc::Status& status) {
  const std::shared_ptr<LaneStream> self = std::move(self_);
  lane_.OnEnded(LostWith(status, context_));
}

}  // namespace workpool::client
