#include "workpool/post_stream.h"

#include <utility>

#include "convert.h"
#include "post_stream_impl.h"
#include "status.h"

namespace workpool::client {

namespace {

std::unexpected<Error> StreamEnded() {
  return Refuse(StatusCode::kUnavailable, "the stream has ended");
}

}  // namespace

PostStream::PostStream(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

PostStream::~PostStream() {
  if (impl_->finished) return;
  Cancel();
  Finish();
}

Result<std::uint64_t> PostStream::Send(std::span<const Work> work) {
  const std::uint64_t first = impl_->next_sequence;
  v1::PostWorkStreamRequest request;
  request.set_first_sequence(first);
  for (const Work& item : work) {
    if (const auto checked = CheckWork(item); !checked) return std::unexpected(checked.error());
    Fill(item, request.add_work());
  }
  if (!impl_->stream->Write(request)) return StreamEnded();
  impl_->next_sequence += work.size();
  return first;
}

Result<void> PostStream::Abandon(std::span<const std::uint64_t> sequences) {
  v1::PostWorkStreamRequest request;
  request.set_first_sequence(impl_->next_sequence);
  request.mutable_abandon()->Add(sequences.begin(), sequences.end());
  if (!impl_->stream->Write(request)) return StreamEnded();
  return {};
}

void PostStream::DoneSending() {
  if (!std::exchange(impl_->done_sending, true)) impl_->stream->WritesDone();
}

std::optional<std::vector<StreamResult>> PostStream::Read() {
  v1::PostWorkStreamResponse response;
  if (!impl_->stream->Read(&response)) return std::nullopt;
  std::vector<StreamResult> results;
  results.reserve(static_cast<std::size_t>(response.results_size()));
  for (v1::PostResult& result : *response.mutable_results()) {
    const std::uint64_t sequence = result.sequence();
    results.push_back({sequence, OutcomeOf(std::move(result))});
  }
  return results;
}

Result<void> PostStream::Finish() {
  impl_->finished = true;
  const grpc::Status status = impl_->stream->Finish();
  if (!status.ok()) return std::unexpected(ErrorOf(status, impl_->context));
  return {};
}

void PostStream::Cancel() { impl_->context.TryCancel(); }

}  // namespace workpool::client
