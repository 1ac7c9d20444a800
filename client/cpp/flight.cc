#include "flight.h"

#include <algorithm>
#include <utility>

#include "status.h"

namespace workpool::client {

namespace {

// Far below what a daemon takes (64 MiB), far above what a message costs by itself.
constexpr std::size_t kMaxItems = 1000;
constexpr std::size_t kMaxBytes = 1024 * 1024;

SteadyTime NextOf(const Pending& item, bool sent) {
  return sent && !item.overdue ? item.soft_deadline : item.deadline;
}

}  // namespace

void Flight::Reset(std::uint64_t first_sequence) {
  message_.bytes.clear();
  message_.bytes.reserve(likely_bytes_);
  message_.insets.clear();
  items_.clear();
  first_ = first_sequence;
  bytes_ = answered_ = 0;
  given_up_ = false;
  due_ = kNever;
}

bool Flight::HasRoom(std::size_t bytes) const {
  return items_.empty() || (items_.size() < kMaxItems && bytes_ + bytes <= kMaxBytes);
}

void Flight::Add(Work&& work, std::size_t bytes, Pending&& pending) {
  AppendItem(std::move(work), bytes, message_);
  bytes_ += bytes;
  due_ = std::min(due_, pending.soft_deadline);
  items_.push_back(std::move(pending));
}

bool Flight::MarkAnswered(std::uint64_t sequence) {
  if (std::exchange(At(sequence).answered, true)) return false;
  ++answered_;
  return true;
}

std::optional<std::uint64_t> Flight::FindTicket(std::uint64_t ticket) const {
  const auto found = std::ranges::find_if(items_, [ticket](const Pending& item) {
    return item.done && item.again && item.again->ticket == ticket;
  });
  if (found == items_.end()) return std::nullopt;
  return first_ + static_cast<std::uint64_t>(found - items_.begin());
}

void Flight::Expire(SteadyTime now, std::vector<Ended>& ended,
                    std::vector<std::uint64_t>* abandoned) {
  if (due_ > now) return;
  const bool sent = abandoned != nullptr;
  due_ = kNever;
  for (std::uint64_t sequence = first_; sequence < end(); ++sequence) {
    Pending& item = At(sequence);
    if (!item.done) continue;
    if (item.deadline <= now) {
      GiveUp(sequence, Error{StatusCode::kDeadlineExceeded, {}, "no answer within the timeout", {}},
             ended);
    } else if (sent && !item.overdue && item.soft_deadline <= now) {
      item.overdue = true;
      abandoned->push_back(sequence);
    }
    if (item.done) due_ = std::min(due_, NextOf(item, sent));
  }
}

void Flight::FailAll(const Error& error, std::vector<Ended>& ended) {
  for (Pending& item : items_) {
    if (item.done) ended.push_back({std::exchange(item.done, nullptr), std::unexpected(error)});
  }
}

void Flight::GiveUp(std::uint64_t sequence, Error error, std::vector<Ended>& ended) {
  given_up_ = true;
  ended.push_back({std::exchange(At(sequence).done, nullptr), std::unexpected(std::move(error))});
}

std::vector<std::unique_ptr<Flight>> Flight::WithoutGivenUp() {
  std::vector<std::unique_ptr<Flight>> runs;
  const std::string joined = Joined(message_);
  std::string_view message = joined;
  for (std::uint64_t sequence = first_; sequence < end(); ++sequence) {
    const std::string_view encoded = CutItem(message);
    Pending& item = At(sequence);
    if (!item.done) continue;
    if (runs.empty() || runs.back()->end() != sequence) {
      runs.push_back(std::make_unique<Flight>());
      runs.back()->Reset(sequence);
    }
    Flight& run = *runs.back();
    run.message_.bytes += encoded;
    run.bytes_ += encoded.size();
    run.due_ = std::min(run.due_, item.soft_deadline);
    run.items_.push_back(std::move(item));
  }
  return runs;
}

Message Flight::TakeMessage(std::span<const std::uint64_t> abandoned) {
  AppendFirstSequence(first_, message_);
  AppendAbandoned(abandoned, message_);
  likely_bytes_ = message_.bytes.size();
  return std::exchange(message_, {});
}

}  // namespace workpool::client
