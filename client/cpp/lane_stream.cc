#include "lane_stream.h"

#include <string>
#include <string_view>
#include <utility>

#include "lane.h"
#include "status.h"
#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::client {

namespace {

// For the posts that the stream leaves without an answer.
Error LostWith(const grpc::Status& status, const grpc::ClientContext& context) {
  Error error{StatusCode::kUnavailable, {}, "the daemon ended the stream", {}};
  if (!status.ok()) error.message = ErrorOf(status, context).message;
  return error;
}

// The generated stub takes no messages that are encoded already.
std::string Method() {
  return std::string("/") + v1::WorkPool::service_full_name() + "/PostWorkStream";
}

// Without a copy: the buffer keeps the string until the transport has done with it.
grpc::ByteBuffer BufferOf(std::string message) {
  auto* const kept = new std::string(std::move(message));
  const grpc::Slice slice(
      kept->data(), kept->size(), [](void* string) { delete static_cast<std::string*>(string); },
      kept);
  return {&slice, 1};
}

}  // namespace

LaneStream::Departure::~Departure() { lane->OnStreamGone(); }

LaneStream::LaneStream(std::shared_ptr<Lane> lane)
    : departure_(std::move(lane)), lane_(*departure_.lane) {}

void LaneStream::Open(grpc::GenericStub& stub, Poller& poller, std::string message) {
  self_ = shared_from_this();
  // The start goes out with the first message and so needs no event of its own.
  context_.set_initial_metadata_corked(true);
  call_ = stub.PrepareCall(&context_, Method(), &poller.queue());
  poller.Publish();
  call_->StartCall(nullptr);
  Write(std::move(message));
  call_->Read(&answer_, &read_);
}

void LaneStream::Write(std::string message) {
  call_->Write(BufferOf(std::move(message)), &written_);
}

void LaneStream::OnWritten(bool ok) { lane_.OnWritten(ok); }

void LaneStream::OnRead(bool ok) {
  if (!ok) return lane_.OnReadEnd();
  // Without the call nothing more is read either.
  if (!TakeAnswer()) Cancel();
  call_->Read(&answer_, &read_);
}

bool LaneStream::TakeAnswer() {
  grpc::Slice slice;
  if (!answer_.TrySingleSlice(&slice).ok() && !answer_.DumpToSingleSlice(&slice).ok()) return false;
  const std::string_view bytes(reinterpret_cast<const char*>(slice.begin()), slice.size());
  acceptances_.clear();
  if (ReadAcceptances(bytes, acceptances_)) {
    lane_.OnAcceptances(acceptances_);
    return true;
  }
  v1::PostWorkStreamResponse response;
  if (!response.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
  lane_.OnAnswer(response);
  return true;
}

void LaneStream::OnFinished(bool) {
  const std::shared_ptr<LaneStream> self = std::move(self_);
  lane_.OnEnded(LostWith(status_, context_));
}

}  // namespace workpool::client
