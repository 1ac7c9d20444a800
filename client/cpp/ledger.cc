#include "ledger.h"

#include <algorithm>
#include <utility>

#include "convert.h"
#include "encode.h"
#include "status.h"

namespace workpool::client {

namespace {

constexpr std::size_t kMaxSpare = 4;

Error AbandonedError() {
  return Error{StatusCode::kCancelled, {}, "abandoned before it was sent", {}};
}

// What the daemon calls CANCELLED is for the caller a wait that took too long.
Error OverdueError() {
  return Error{StatusCode::kDeadlineExceeded, "WAIT_TIMEOUT", "no room within the timeout", {}};
}

}  // namespace

std::uint64_t Ledger::Add(Work&& work, Pending&& pending) {
  const std::uint64_t sequence = next_sequence_++;
  if (pending.again && pending.again->ticket == 0) pending.again->ticket = sequence;
  const std::size_t bytes = EncodedSize(work);
  Flight* last = queue_.empty() ? nullptr : queue_.back().get();
  if (last == nullptr || last->end() != sequence || !last->HasRoom(bytes)) {
    last = queue_.emplace_back(NewFlight(sequence)).get();
  }
  last->Add(std::move(work), bytes, std::move(pending));
  return sequence;
}

std::optional<Message> Ledger::TakeMessage() {
  while (!queue_.empty() && queue_.front()->HasGivenUp()) SplitFront();
  if (queue_.empty() && abandoned_.empty()) return std::nullopt;
  if (queue_.empty()) {
    writing_ = NewFlight(next_sequence_);
  } else {
    writing_ = std::move(queue_.front());
    queue_.pop_front();
  }
  Message message = writing_->TakeMessage(abandoned_);
  abandoned_.clear();
  return message;
}

void Ledger::Written() {
  if (!writing_) return;
  if (writing_->AllAnswered()) return Recycle(std::move(writing_));
  const std::uint64_t first = writing_->first();
  sent_.emplace(first, std::move(writing_));
}

void Ledger::Accept(const Acceptance& acceptance, std::vector<Ended>& ended) {
  Flight* const flight = MarkAnswered(acceptance.sequence);
  if (flight == nullptr) return;
  if (Pending& item = flight->At(acceptance.sequence); item.done) {
    ended.emplace_back(std::exchange(item.done, nullptr), acceptance.posted);
  }
  DropIfAnswered(flight);
}

void Ledger::Answer(v1::PostResult&& result, SteadyTime now, std::vector<Ended>& ended) {
  const std::uint64_t sequence = result.sequence();
  Flight* const flight = MarkAnswered(sequence);
  if (flight == nullptr) return;
  if (Pending& item = flight->At(sequence); item.done) {
    Result<Posted> outcome = OutcomeOf(std::move(result));
    if (outcome || !Park(item, outcome.error(), now)) End(item, std::move(outcome), ended);
  }
  DropIfAnswered(flight);
}

void Ledger::Abandon(std::uint64_t ticket, std::vector<Ended>& ended) {
  if (const auto parked = parked_.find(ticket); parked != parked_.end()) {
    End(parked->second.pending, std::unexpected(AbandonedError()), ended);
    parked_.erase(parked);
  } else if (!AbandonAt(Find(ticket), ticket, ended) && resent_) {
    AbandonResent(ticket, ended);
  }
}

bool Ledger::AbandonAt(Flight* flight, std::uint64_t sequence, std::vector<Ended>& ended) {
  if (flight == nullptr || !flight->At(sequence).done) return false;
  const bool unsent = flight != writing_.get() && !sent_.contains(flight->first());
  if (unsent) {
    flight->GiveUp(sequence, AbandonedError(), ended);
  } else {
    flight->At(sequence).again.reset();
    abandoned_.push_back(sequence);
  }
  return true;
}

void Ledger::AbandonResent(std::uint64_t ticket, std::vector<Ended>& ended) {
  const auto try_in = [&](Flight& flight) {
    const auto sequence = flight.FindTicket(ticket);
    return sequence && AbandonAt(&flight, *sequence, ended);
  };
  if (writing_ && try_in(*writing_)) return;
  for (const auto& flight : queue_) {
    if (try_in(*flight)) return;
  }
  for (const auto& [first, flight] : sent_) {
    if (try_in(*flight)) return;
  }
}

SteadyTime Ledger::Tick(SteadyTime now, std::vector<Ended>& ended) {
  Resend(now);
  SteadyTime next = retry_due_;
  for (const auto& flight : queue_) {
    flight->Expire(now, ended, nullptr);
    next = std::min(next, flight->due());
  }
  if (writing_) {
    writing_->Expire(now, ended, &abandoned_);
    next = std::min(next, writing_->due());
  }
  for (const auto& [first, flight] : sent_) {
    flight->Expire(now, ended, &abandoned_);
    next = std::min(next, flight->due());
  }
  return next;
}

void Ledger::FailSent(const Error& error, std::vector<Ended>& ended) {
  Written();
  for (const auto& [first, flight] : sent_) flight->FailAll(error, ended);
  sent_.clear();
  abandoned_.clear();
}

void Ledger::FailUnsent(const Error& error, std::vector<Ended>& ended) {
  StopRetrying(ended);
  for (const auto& flight : queue_) flight->FailAll(error, ended);
  queue_.clear();
}

void Ledger::StopRetrying(std::vector<Ended>& ended) {
  retrying_ = false;
  retry_due_ = kNever;
  for (auto& [ticket, parked] : parked_) {
    End(parked.pending, std::unexpected(std::move(parked.error)), ended);
  }
  parked_.clear();
}

Flight* Ledger::FindSent(std::uint64_t sequence) {
  if (writing_ && writing_->Holds(sequence)) return writing_.get();
  if (auto found = sent_.upper_bound(sequence); found != sent_.begin()) {
    --found;
    if (found->second->Holds(sequence)) return found->second.get();
  }
  return nullptr;
}

Flight* Ledger::Find(std::uint64_t sequence) {
  if (Flight* const sent = FindSent(sequence); sent != nullptr) return sent;
  for (const auto& flight : queue_) {
    if (flight->Holds(sequence)) return flight.get();
  }
  return nullptr;
}

Flight* Ledger::MarkAnswered(std::uint64_t sequence) {
  Flight* const flight = FindSent(sequence);
  return flight != nullptr && flight->MarkAnswered(sequence) ? flight : nullptr;
}

void Ledger::DropIfAnswered(Flight* flight) {
  if (flight == writing_.get() || !flight->AllAnswered()) return;
  const auto found = sent_.find(flight->first());
  Recycle(std::move(found->second));
  sent_.erase(found);
}

void Ledger::End(Pending& item, Result<Posted> outcome, std::vector<Ended>& ended) {
  if (item.overdue && !outcome && outcome.error().code == StatusCode::kCancelled) {
    outcome = std::unexpected(OverdueError());
  }
  ended.push_back({std::exchange(item.done, nullptr), std::move(outcome)});
}

bool Ledger::Park(Pending& item, const Error& error, SteadyTime now) {
  if (!retrying_ || !item.again || item.again->attempts_left == 0 || !IsQueueFull(error)) {
    return false;
  }
  const SteadyTime due = now + PushBackOf(error);
  if (due >= item.soft_deadline) return false;
  --item.again->attempts_left;
  retry_due_ = std::min(retry_due_, due);
  const std::uint64_t ticket = item.again->ticket;
  Pending pending{std::exchange(item.done, nullptr),
                  item.soft_deadline,
                  item.deadline,
                  false,  // overdue
                  false,  // answered
                  std::move(item.again)};
  parked_.insert_or_assign(ticket, Parked{due, std::move(pending), error});
  return true;
}

void Ledger::Resend(SteadyTime now) {
  if (retry_due_ > now) return;
  retry_due_ = kNever;
  for (auto it = parked_.begin(); it != parked_.end();) {
    if (it->second.due > now) {
      retry_due_ = std::min(retry_due_, it->second.due);
      ++it;
      continue;
    }
    Pending pending = std::move(it->second.pending);
    Work work = pending.again->work;
    Add(std::move(work), std::move(pending));
    resent_ = true;
    it = parked_.erase(it);
  }
}

void Ledger::SplitFront() {
  const std::unique_ptr<Flight> front = std::move(queue_.front());
  queue_.pop_front();
  auto runs = front->WithoutGivenUp();
  queue_.insert(queue_.begin(), std::make_move_iterator(runs.begin()),
                std::make_move_iterator(runs.end()));
}

std::unique_ptr<Flight> Ledger::NewFlight(std::uint64_t first_sequence) {
  std::unique_ptr<Flight> flight;
  if (spare_.empty()) {
    flight = std::make_unique<Flight>();
  } else {
    flight = std::move(spare_.back());
    spare_.pop_back();
  }
  flight->Reset(first_sequence);
  return flight;
}

void Ledger::Recycle(std::unique_ptr<Flight> flight) {
  if (spare_.size() < kMaxSpare) spare_.push_back(std::move(flight));
}

}  // namespace workpool::client
