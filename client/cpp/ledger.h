// The posts of one stream that have no answer yet: gathered, sent, or waiting for another try. A
// passive object: no thread, no clock, no I/O. Not thread safe; its lane guards it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "acceptances.h"
#include "flight.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::client {

// Posts that end are moved to `ended`, for the caller to call back without its lock.
class Ledger {
 public:
  // Takes a post into the message that is being gathered. Answers the number of its ticket.
  std::uint64_t Add(Work&& work, Pending&& pending);

  // True if there is something to send, and if so much that waiting for more makes no sense.
  bool HasMessage() const { return !queue_.empty() || !abandoned_.empty(); }
  bool HasFullMessage() const { return queue_.size() > 1; }

  // The next message, oldest first; nothing if there is none. Must not be called again
  // before Written.
  std::optional<Message> TakeMessage();
  void Written();

  void Accept(const Acceptance& acceptance, std::vector<Ended>& ended);
  void Answer(v1::PostResult&& result, SteadyTime now, std::vector<Ended>& ended);

  // The caller no longer wants the post: ends it if it was not sent, else tells the daemon.
  void Abandon(std::uint64_t ticket, std::vector<Ended>& ended);

  // Ends what is overdue, queues what is to be tried again. Answers when it is next due.
  SteadyTime Tick(SteadyTime now, std::vector<Ended>& ended);

  // The stream is gone: what was sent ends with `error`, and the rest starts afresh.
  void FailSent(const Error& error, std::vector<Ended>& ended);
  void FailUnsent(const Error& error, std::vector<Ended>& ended);
  // Nothing is tried again from now on; what waits for that ends with the answer it had.
  void StopRetrying(std::vector<Ended>& ended);

  // When the next of those that are to be tried again is due.
  SteadyTime RetryDue() const { return retry_due_; }

 private:
  // A post that waits for another try, and the answer that it had.
  struct Parked {
    SteadyTime due;
    Pending pending;
    Error error;
  };

  // The one that holds it: among those that are on their way or sent, or among all.
  Flight* FindSent(std::uint64_t sequence);
  Flight* Find(std::uint64_t sequence);
  // The flight of a post that had no answer before but has one now; nothing if there is no such.
  Flight* MarkAnswered(std::uint64_t sequence);
  void DropIfAnswered(Flight* flight);
  bool AbandonAt(Flight* flight, std::uint64_t sequence, std::vector<Ended>& ended);
  void AbandonResent(std::uint64_t ticket, std::vector<Ended>& ended);
  void End(Pending& item, Result<Posted> outcome, std::vector<Ended>& ended);
  bool Park(Pending& item, const Error& error, SteadyTime now);
  void Resend(SteadyTime now);
  void SplitFront();
  std::unique_ptr<Flight> NewFlight(std::uint64_t first_sequence);
  void Recycle(std::unique_ptr<Flight> flight);

  std::uint64_t next_sequence_ = 1;
  bool retrying_ = true;
  SteadyTime retry_due_ = kNever;
  // Not yet sent; only the last one grows.
  std::deque<std::unique_ptr<Flight>> queue_;
  // On its way to the transport.
  std::unique_ptr<Flight> writing_;
  // By first sequence number.
  std::map<std::uint64_t, std::unique_ptr<Flight>> sent_;
  std::vector<std::unique_ptr<Flight>> spare_;
  std::vector<std::uint64_t> abandoned_;
  // By ticket.
  std::map<std::uint64_t, Parked> parked_;
  // Some post has another sequence number than its ticket says.
  bool resent_ = false;
};

}  // namespace workpool::client
