#include "rpc/stream_flow.h"

#include <utility>

namespace workpool::rpc {
namespace {

// Of one message: refusals with long texts must fit a stock client's 4 MiB.
constexpr int kMaxResults = 8'000;
// Messages that lie here because the client does not read.
constexpr std::size_t kMaxUnread = 4;
// Of a message whose memory is kept.
constexpr int kMaxSpareResults = 1'000;

}  // namespace

bool StreamFlow::BeginOffer(std::uint64_t items, std::uint64_t bytes) {
  reading_ = false;
  if (finished_ || cancelled_) return false;
  offering_ = true;
  waiting_items_ += items;
  waiting_bytes_ += bytes;
  return true;
}

void StreamFlow::EndReads(std::optional<Error> error) {
  if (!reads_over_) error_ = std::move(error);
  reads_over_ = true;
}

v1::PostResult& StreamFlow::AddResult(std::uint64_t bytes) {
  --waiting_items_;
  waiting_bytes_ -= bytes;
  const bool fresh = outgoing_.empty() || (writing_ && outgoing_.size() == 1) ||
                     outgoing_.back()->results_size() >= kMaxResults;
  if (fresh) outgoing_.push_back(NewMessage());
  return *outgoing_.back()->add_results();
}

std::unique_ptr<v1::PostWorkStreamResponse> StreamFlow::NewMessage() {
  if (spare_) return std::move(spare_);
  return std::make_unique<v1::PostWorkStreamResponse>();
}

void StreamFlow::Written() {
  writing_ = false;
  if (outgoing_.front()->results_size() <= kMaxSpareResults) {
    spare_ = std::move(outgoing_.front());
    spare_->Clear();
  }
  outgoing_.pop_front();
}

StreamFlow::Step StreamFlow::Next() {
  if (finished_ || offering_) return Step::kNone;
  if (!writing_ && (cancelled_ || AllDone())) {
    finished_ = true;
    return Step::kFinish;
  }
  if (cancelled_) return Step::kNone;
  if (!writing_ && !outgoing_.empty()) {
    writing_ = true;
    return Step::kWrite;
  }
  if (!reading_ && MayRead()) {
    reading_ = true;
    return Step::kRead;
  }
  return Step::kNone;
}

bool StreamFlow::MayRead() const {
  return !reads_over_ && waiting_items_ <= window_.items && waiting_bytes_ <= window_.bytes &&
         outgoing_.size() <= kMaxUnread;
}

bool StreamFlow::AllDone() const { return reads_over_ && waiting_items_ == 0 && outgoing_.empty(); }

}  // namespace workpool::rpc
