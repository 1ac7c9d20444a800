#include "lane.h"

#include <utility>

#include "lane_stream.h"
#include "status.h"

namespace workpool::client {

namespace {

// The lane whose answers this thread is delivering: what the callbacks post goes out together when
// they have returned, not the first of it in a message of its own.
thread_local const Lane* delivering_lane = nullptr;

}  // namespace

Lane::Lane(grpc::GenericStub& stub, Poller& poller, std::function<void(SteadyTime)> wake)
    : stub_(stub), poller_(poller), wake_(std::move(wake)) {}

Lane::~Lane() = default;

std::uint64_t Lane::Post(Work&& work, Pending&& pending) {
  const SteadyTime due = pending.soft_deadline;
  std::uint64_t ticket = 0;
  Step step;
  bool wake = false;
  {
    MutexLock lock(mutex_);
    if (closing_) {
      lock.Unlock();
      pending.done(Refuse(StatusCode::kCancelled, "the client is closed"));
      return 0;
    }
    ++open_;
    ticket = ledger_.Add(std::move(work), std::move(pending));
    if (delivering_lane != this || ledger_.HasFullMessage()) step = NextStep();
    wake = due < next_tick_;
    if (wake) next_tick_ = due;
  }
  Take(std::move(step));
  if (wake) wake_(due);
  return ticket;
}

void Lane::Abandon(std::uint64_t ticket) {
  std::vector<Ended> ended;
  {
    const MutexLock lock(mutex_);
    ledger_.Abandon(ticket, ended);
  }
  Deliver(ended);
}

SteadyTime Lane::Tick(SteadyTime now) {
  std::vector<Ended> ended;
  SteadyTime next;
  {
    const MutexLock lock(mutex_);
    next = next_tick_ = ledger_.Tick(now, ended);
  }
  Deliver(ended);
  return next;
}

void Lane::BeginClose() {
  std::vector<Ended> ended;
  {
    const MutexLock lock(mutex_);
    closing_ = true;
    ledger_.StopRetrying(ended);
  }
  Deliver(ended);
}

void Lane::Cancel() {
  std::vector<Ended> ended;
  std::shared_ptr<LaneStream> stream;
  {
    const MutexLock lock(mutex_);
    closing_ = true;
    ledger_.FailUnsent(Error{StatusCode::kCancelled, {}, "the client was closed", {}}, ended);
    stream = stream_;
  }
  if (stream) stream->Cancel();
  Deliver(ended);
}

void Lane::AwaitClosed() {
  MutexLock lock(mutex_);
  while (streams_ > 0 || open_ > 0) changed_.Wait(mutex_);
}

void Lane::OnWritten(bool ok) {
  Step step;
  {
    const MutexLock lock(mutex_);
    sending_ = false;
    ledger_.Written();
    if (!ok) broken_ = true;
    step = read_ended_ ? Step{Step::Kind::kFinish, stream_} : NextStep();
  }
  Take(std::move(step));
}

void Lane::OnAcceptances(std::span<const Acceptance> acceptances) {
  std::vector<Ended> ended;
  ended.reserve(acceptances.size());
  {
    const MutexLock lock(mutex_);
    for (const Acceptance& acceptance : acceptances) ledger_.Accept(acceptance, ended);
  }
  Deliver(ended);
}

void Lane::OnAnswer(v1::PostWorkStreamResponse& answer) {
  std::vector<Ended> ended;
  ended.reserve(static_cast<std::size_t>(answer.results_size()));
  const SteadyTime now = std::chrono::steady_clock::now();
  SteadyTime wake = kNever;
  {
    const MutexLock lock(mutex_);
    for (v1::PostResult& result : *answer.mutable_results()) {
      ledger_.Answer(std::move(result), now, ended);
    }
    if (const SteadyTime due = ledger_.RetryDue(); due < next_tick_) wake = next_tick_ = due;
  }
  if (wake != kNever) wake_(wake);
  Deliver(ended);
}

void Lane::OnReadEnd() {
  Step step;
  {
    const MutexLock lock(mutex_);
    broken_ = read_ended_ = true;
    if (!sending_) step = {Step::Kind::kFinish, stream_};
  }
  Take(std::move(step));
}

void Lane::OnEnded(const Error& error) {
  std::vector<Ended> ended;
  // Must not be the last to go while the lock is held.
  std::shared_ptr<LaneStream> ended_stream;
  {
    const MutexLock lock(mutex_);
    ledger_.FailSent(error, ended);
    ended_stream = std::move(stream_);
    broken_ = read_ended_ = sending_ = false;
  }
  Deliver(ended);
}

void Lane::OnStreamGone() {
  const MutexLock lock(mutex_);
  --streams_;
  changed_.NotifyAll();
}

Lane::Step Lane::NextStep() {
  if (sending_ || broken_) return {};
  if (std::optional<Message> message = ledger_.TakeMessage()) {
    sending_ = true;
    if (stream_) return {Step::Kind::kWrite, stream_, *std::move(message)};
    stream_ = std::make_shared<LaneStream>(shared_from_this());
    ++streams_;
    return {Step::Kind::kOpen, stream_, *std::move(message)};
  }
  if (closing_ && open_ == 0 && stream_) return {Step::Kind::kCancel, stream_};
  return {};
}

void Lane::Take(Step&& step) {
  switch (step.kind) {
    case Step::Kind::kNothing: return;
    case Step::Kind::kOpen: return step.stream->Open(stub_, poller_, std::move(step.message));
    case Step::Kind::kWrite: return step.stream->Write(std::move(step.message));
    case Step::Kind::kFinish: return step.stream->Finish();
    case Step::Kind::kCancel: return step.stream->Cancel();
  }
}

void Lane::Deliver(std::vector<Ended>& ended) {
  const std::size_t count = ended.size();
  const Lane* const outer = std::exchange(delivering_lane, this);
  for (Ended& post : ended) post.done(std::move(post.outcome));
  ended.clear();
  delivering_lane = outer;
  Step step;
  {
    const MutexLock lock(mutex_);
    open_ -= count;
    step = NextStep();
    changed_.NotifyAll();
  }
  Take(std::move(step));
}

}  // namespace workpool::client
