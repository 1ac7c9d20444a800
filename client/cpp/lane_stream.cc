#include "lane_stream.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

Error Unreadable() {
  return Error{
      StatusCode::kUnavailable, {}, "the daemon's answer is no PostWorkStreamResponse", {}};
}

// The generated stub takes no messages that are encoded already.
std::string Method() {
  return std::string("/") + v1::WorkPool::service_full_name() + "/PostWorkStream";
}

// Without a copy: the slice keeps the string until the transport has done with it.
grpc::Slice SliceOf(std::string bytes) {
  auto* const kept = new std::string(std::move(bytes));
  return {kept->data(), kept->size(),
          [](void* string) { delete static_cast<std::string*>(string); }, kept};
}

grpc::ByteBuffer BufferOf(Message message) {
  const grpc::Slice bytes = SliceOf(std::move(message.bytes));
  if (message.insets.empty()) return {&bytes, 1};
  std::vector<grpc::Slice> slices;
  std::size_t at = 0;
  for (Message::Inset& inset : message.insets) {
    slices.push_back(bytes.sub(at, inset.at));
    slices.push_back(SliceOf(std::move(inset.payload)));
    at = inset.at;
  }
  slices.push_back(bytes.sub(at, bytes.size()));
  return {slices.data(), slices.size()};
}

}  // namespace

LaneStream::Departure::~Departure() { lane->OnStreamGone(); }

LaneStream::LaneStream(std::shared_ptr<Lane> lane)
    : departure_(std::move(lane)), lane_(*departure_.lane) {}

void LaneStream::Open(grpc::GenericStub& stub, Poller& poller, Message message) {
  self_ = shared_from_this();
  // The start goes out with the first message and so needs no event of its own.
  context_.set_initial_metadata_corked(true);
  call_ = stub.PrepareCall(&context_, Method(), &poller.queue());
  poller.Publish();
  call_->StartCall(nullptr);
  Write(std::move(message));
  call_->Read(&answer_, &read_);
}

void LaneStream::Write(Message message) { call_->Write(BufferOf(std::move(message)), &written_); }

void LaneStream::OnWritten(bool ok) { lane_.OnWritten(ok); }

void LaneStream::OnRead(bool ok) {
  if (!ok) return lane_.OnReadEnd();
  // Without the call nothing more is read either.
  if (!TakeAnswer()) {
    unreadable_ = true;
    Cancel();
  }
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
  lane_.OnEnded(unreadable_ ? Unreadable() : LostWith(status_, context_));
}

}  // namespace workpool::client
