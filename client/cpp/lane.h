// Gathers the posts of one pool and one when_full into the messages of one stream.
#pragma once

#include <grpcpp/generic/generic_stub.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "deadline.h"
#include "encode.h"
#include "flight.h"
#include "ledger.h"
#include "poller.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::client {

class LaneStream;

// Thread safe. Posts are called back where no lock is held: on the poller's thread one after the
// other, on the thread that calls Tick, or on the caller's where a post ends at once.
//
// One write is under way at a time: a thread that sets `sending_` under the lock starts the write
// outside it, and the end of that write starts the next.
class Lane : public std::enable_shared_from_this<Lane> {
 public:
  // `wake` is told when Tick is due earlier than it last said.
  Lane(grpc::GenericStub& stub, Poller& poller, std::function<void(SteadyTime)> wake);
  ~Lane();

  // Answers the number of the post's ticket.
  std::uint64_t Post(Work&& work, Pending&& pending);
  void Abandon(std::uint64_t ticket);

  // Ends posts that are overdue and sends again what is to be tried again. Answers when it wants to
  // be called next.
  SteadyTime Tick(SteadyTime now);

  // No more posts; what is gathered is sent, and the stream ends when every post has.
  void BeginClose();
  // The same, but ends everything now.
  void Cancel();
  // Blocks until the stream has ended, its context is destroyed and every callback has returned.
  // After one of the two above.
  void AwaitClosed();

 private:
  friend class LaneStream;

  // What a thread does once it has let go of the lock.
  struct Step {
    enum class Kind { kNothing, kOpen, kWrite, kFinish, kCancel } kind = Kind::kNothing;
    std::shared_ptr<LaneStream> stream = {};
    Message message = {};
  };

  // The stream's events.
  void OnWritten(bool ok);
  void OnAcceptances(std::span<const Acceptance> acceptances);
  void OnAnswer(v1::PostWorkStreamResponse& answer);
  void OnReadEnd();
  void OnEnded(const Error& error);
  void OnStreamGone();

  Step NextStep() REQUIRES(mutex_);
  void Take(Step&& step);
  // Calls back and then sends what there is to send.
  void Deliver(std::vector<Ended>& ended);

  grpc::GenericStub& stub_;
  Poller& poller_;
  const std::function<void(SteadyTime)> wake_;

  Mutex mutex_;
  CondVar changed_;
  Ledger ledger_ GUARDED_BY(mutex_);
  std::shared_ptr<LaneStream> stream_ GUARDED_BY(mutex_);
  // Streams that are not destroyed.
  int streams_ GUARDED_BY(mutex_) = 0;
  SteadyTime next_tick_ GUARDED_BY(mutex_) = kNever;
  // Posts that have not been called back.
  std::size_t open_ GUARDED_BY(mutex_) = 0;
  bool closing_ GUARDED_BY(mutex_) = false;
  bool sending_ GUARDED_BY(mutex_) = false;
  // Of the present stream: nothing more can be written, nothing more will be read.
  bool broken_ GUARDED_BY(mutex_) = false;
  bool read_ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace workpool::client
