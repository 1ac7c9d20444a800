// The posts of one message of a stream, from the first that joins until the last is answered.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "deadline.h"
#include "encode.h"
#include "workpool/client/error.h"
#include "workpool/client/work.h"

namespace workpool::client {

using PostDone = std::move_only_function<void(Result<Posted>)>;

// What is kept of a post that may be tried again.
struct Again {
  Work work;
  unsigned attempts_left = 0;
  // The sequence number that its ticket names.
  std::uint64_t ticket = 0;
};

// A post without an answer. One without `done` has been given up by this side.
struct Pending {
  PostDone done;
  // When the daemon is told that it is no longer wanted, and when this side gives it up.
  SteadyTime soft_deadline = kNever;
  SteadyTime deadline = kNever;
  // The daemon was told because of the soft deadline.
  bool overdue = false;
  bool answered = false;
  std::unique_ptr<Again> again;
};

// A post that has ended, to be called back where no lock is held.
struct Ended {
  PostDone done;
  Result<Posted> outcome;
};

// Not thread safe.
class Flight {
 public:
  // Forgets what it carried but keeps its memory.
  void Reset(std::uint64_t first_sequence);

  // True if `bytes` more still make a message of reasonable size.
  bool HasRoom(std::size_t bytes) const;
  // `bytes` is the work's EncodedSize.
  void Add(Work&& work, std::size_t bytes, Pending&& pending);

  std::uint64_t first() const { return first_; }
  std::uint64_t end() const { return first_ + items_.size(); }
  bool Holds(std::uint64_t sequence) const { return sequence >= first_ && sequence < end(); }
  // The post at `sequence`, which must be held.
  Pending& At(std::uint64_t sequence) { return items_[sequence - first_]; }

  // False if it was answered before.
  bool MarkAnswered(std::uint64_t sequence);
  bool AllAnswered() const { return answered_ == items_.size(); }

  // The number of the post without an answer whose ticket this is, if it may be tried again.
  std::optional<std::uint64_t> FindTicket(std::uint64_t ticket) const;

  // Ends what is past its deadline. With `abandoned` the message may be on its way: what is past
  // its soft deadline goes there. Without, nothing was sent.
  void Expire(SteadyTime now, std::vector<Ended>& ended, std::vector<std::uint64_t>* abandoned);
  // When Expire is due; never later than the earliest deadline of those without an answer.
  SteadyTime due() const { return due_; }

  // Ends everything that has no answer.
  void FailAll(const Error& error, std::vector<Ended>& ended);

  // Before it is sent: ends one post; and then makes of the rest as many messages as that takes.
  void GiveUp(std::uint64_t sequence, Error error, std::vector<Ended>& ended);
  bool HasGivenUp() const { return given_up_; }
  std::vector<std::unique_ptr<Flight>> WithoutGivenUp();

  // The message, which also tells the daemon of what is `abandoned`. Once; nothing may join after
  // that.
  Message TakeMessage(std::span<const std::uint64_t> abandoned);

 private:
  // What was added, until it is taken.
  Message message_;
  // The size of the latest message's bytes: the next is likely to be similar.
  std::size_t likely_bytes_ = 0;
  std::vector<Pending> items_;
  std::uint64_t first_ = 0;
  std::size_t bytes_ = 0;
  std::size_t answered_ = 0;
  bool given_up_ = false;
  SteadyTime due_ = kNever;
};

}  // namespace workpool::client
