#include "rpc/post_stream.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "rpc/batch_call.h"
#include "rpc/status.h"
#include "rpc/time_convert.h"
#include "rpc/work_from_bytes.h"
#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::rpc {
namespace {

std::uint64_t BytesOf(const PostMessage& message) {
  std::uint64_t bytes = 0;
  for (const std::string_view work : message.work) bytes += work.size();
  return bytes;
}

// Reads `buffer`, whose bytes `slice` then keeps for the texts of `message`: a stream that is quiet
// afterwards holds none of them.
bool Read(grpc::ByteBuffer& buffer, grpc::Slice& slice, PostMessage& message) {
  if (!buffer.TrySingleSlice(&slice).ok() && !buffer.DumpToSingleSlice(&slice).ok()) return false;
  buffer.Clear();
  return ReadPostMessage({reinterpret_cast<const char*>(slice.begin()), slice.size()}, message);
}

}  // namespace

PostStream::PostStream(grpc::CallbackServerContext& context, Dispatcher& dispatcher,
                       LiveCalls& live, const StreamWindow& window)
    : context_(context),
      dispatcher_(dispatcher),
      live_(live),
      deadline_(ToSteady(context.deadline())),
      flow_(window) {
  live_.Enter();
}

PostStream* PostStream::Launch(grpc::CallbackServerContext& context, Dispatcher& dispatcher,
                               LiveCalls& live, const StreamWindow& window) {
  auto stream = std::make_shared<PostStream>(context, dispatcher, live, window);
  PostStream* raw = stream.get();
  raw->self_ = stream;
  live.Add(stream);
  raw->Drive();
  return raw;
}

void PostStream::OnReadDone(bool ok) {
  if (ok) {
    OnMessage();
  } else {
    MutexLock lock(mutex_);
    flow_.EndReads(std::nullopt);
  }
  Drive();
}

void PostStream::OnMessage() {
  grpc::Slice slice;
  PostMessage message;
  std::optional<std::string> wrong;
  if (!Read(request_, slice, message)) {
    wrong = "a message is no PostWorkStreamRequest";
  } else if (message.items > kMaxBatchItems) {
    wrong = fmt::format("work: {} items, a message of a stream holds at most {}", message.items,
                        kMaxBatchItems);
  }
  if (wrong) {
    MutexLock lock(mutex_);
    flow_.EndReads(Error{ErrorCode::kBadField, *std::move(wrong), {}});
    return;
  }
  OfferItems(message);
  AbandonListed(message.abandon);
}

void PostStream::OfferItems(const PostMessage& message) {
  const auto count = static_cast<std::uint32_t>(message.work.size());
  auto chunk = std::make_shared<Chunk>();
  chunk->first_sequence = message.first_sequence;
  chunk->item_bytes = count == 0 ? 0 : BytesOf(message) / count;
  {
    MutexLock lock(mutex_);
    if (!flow_.BeginOffer(count, count * chunk->item_bytes)) return;
  }
  PostItems items = ConvertItems(
      0, count, deadline_,
      [&](std::uint32_t position, Work& work) { return ReadWork(message.work[position], work); },
      [&](std::uint32_t position, const Error& error) { AddRefusal(*chunk, position, error); });
  chunk->positions = std::move(items.positions);
  chunk->done.resize(items.requests.size());
  if (!items.requests.empty()) {
    KeepTickets(*chunk, dispatcher_.PostBatch(std::move(items.requests),
                                              [self = shared_from_this(), chunk](
                                                  std::size_t index, const Result<Posted>& posted) {
                                                self->OnResult(*chunk, index, posted);
                                              }));
  }
  MutexLock lock(mutex_);
  flow_.EndOffer();
}

void PostStream::AddRefusal(const Chunk& chunk, std::size_t position, const Error& error) {
  MutexLock lock(mutex_);
  v1::PostResult& result = flow_.AddResult(chunk.item_bytes);
  result.set_sequence(chunk.first_sequence + position);
  ToProto(std::unexpected(error), result);
}

void PostStream::OnResult(Chunk& chunk, std::size_t index, const Result<Posted>& posted) {
  {
    MutexLock lock(mutex_);
    chunk.done[index] = true;
    ForgetTicket(chunk, index);
    v1::PostResult& result = flow_.AddResult(chunk.item_bytes);
    result.set_sequence(chunk.first_sequence + chunk.positions.Of(index));
    ToProto(posted, result);
    if (flow_.offering()) return;  // who offers drives then
  }
  Drive();
}

void PostStream::KeepTickets(Chunk& chunk, const std::vector<Ticket>& tickets) {
  std::vector<Ticket> unwanted;  // the client has left while they were being offered
  {
    MutexLock lock(mutex_);
    for (std::size_t i = 0; i < tickets.size(); ++i) {
      if (tickets[i] == 0 || chunk.done[i]) continue;
      waiting_.emplace(chunk.first_sequence + chunk.positions.Of(i), tickets[i]);
      if (flow_.cancelled()) unwanted.push_back(tickets[i]);
    }
    chunk.tickets = tickets;
  }
  Abandon(unwanted);
}

void PostStream::ForgetTicket(const Chunk& chunk, std::size_t index) {
  if (chunk.tickets.empty() || chunk.tickets[index] == 0) return;
  const auto [first, last] = waiting_.equal_range(chunk.first_sequence + chunk.positions.Of(index));
  for (auto it = first; it != last; ++it) {
    if (it->second == chunk.tickets[index]) {
      waiting_.erase(it);
      return;
    }
  }
}

void PostStream::AbandonListed(const std::vector<std::uint64_t>& sequences) {
  std::vector<Ticket> tickets;
  {
    MutexLock lock(mutex_);
    for (const std::uint64_t sequence : sequences) {
      const auto [first, last] = waiting_.equal_range(sequence);
      for (auto it = first; it != last; ++it) tickets.push_back(it->second);
    }
  }
  Abandon(tickets);
}

void PostStream::Abandon(const std::vector<Ticket>& tickets) {
  for (const Ticket ticket : tickets) dispatcher_.Abandon(ticket);
}

void PostStream::OnWriteDone(bool) {
  {
    MutexLock lock(mutex_);
    flow_.Written();
  }
  Drive();
}

void PostStream::OnCancel() {
  std::vector<Ticket> tickets;
  {
    MutexLock lock(mutex_);
    flow_.Cancel();
    for (const auto& [sequence, ticket] : waiting_) tickets.push_back(ticket);
  }
  Abandon(tickets);
  Drive();
}

void PostStream::End() {
  {
    MutexLock lock(mutex_);
    flow_.EndReads(Error{ErrorCode::kDraining,
                         "the server shuts down; items without a result were not accepted",
                         {}});
  }
  Drive();
}

void PostStream::Drive() {
  MutexLock lock(mutex_);
  if (driving_) return;
  driving_ = true;
  for (auto step = flow_.Next(); step != StreamFlow::Step::kNone; step = flow_.Next()) {
    const auto* message = step == StreamFlow::Step::kWrite ? &flow_.message() : nullptr;
    lock.Unlock();
    Perform(step, message);
    lock.Lock();
  }
  driving_ = false;
}

void PostStream::Perform(StreamFlow::Step step, const v1::PostWorkStreamResponse* message) {
  switch (step) {
    case StreamFlow::Step::kRead: return StartRead(&request_);
    case StreamFlow::Step::kWrite: return Write(*message);
    case StreamFlow::Step::kFinish: return Finish(FinalStatus());
    case StreamFlow::Step::kNone: return;
  }
}

void PostStream::Write(const v1::PostWorkStreamResponse& message) {
  bool own = true;
  response_.Clear();
  const grpc::Status written =
      grpc::SerializationTraits<v1::PostWorkStreamResponse>::Serialize(message, &response_, &own);
  WORKPOOL_CHECK(written.ok());
  StartWrite(&response_);
}

grpc::Status PostStream::FinalStatus() {
  std::optional<Error> error;
  {
    MutexLock lock(mutex_);
    error = flow_.error();
    if (flow_.cancelled()) error = Error{ErrorCode::kCancelled, "the stream was cancelled", {}};
  }
  return error ? ToStatus(*error, context_) : grpc::Status::OK;
}

void PostStream::OnDone() {
  const std::shared_ptr<PostStream> self = std::move(self_);
  live_.Remove(this);
  live_.Leave();
}

}  // namespace workpool::rpc
