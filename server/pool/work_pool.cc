#include "pool/work_pool.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "pool/closure_task.h"
#include "pool/room_wait.h"
#include "pool/thread_pool.h"

namespace workpool {
namespace {

PoolLimits LimitsOf(const WorkPoolOptions& options) {
  if (options.workers == 0) {
    throw std::invalid_argument("workpool: pool \"" + options.name + "\" needs at least 1 worker");
  }
  return {.workers = options.workers,
          .capacity = options.capacity,
          .capacity_bytes = options.capacity_bytes,
          .max_waiting = options.max_waiting};
}

void CheckPost(const WorkPool::Work& work, const PostOptions& options) {
  if (!work) throw std::invalid_argument("workpool: the posted closure is empty");
  if (options.priority >= kPriorities) {
    throw std::invalid_argument("workpool: priority " + std::to_string(options.priority) +
                                " is not within 0..9");
  }
}

SteadyTime After(std::chrono::nanoseconds grace) {
  const SteadyTime now = std::chrono::steady_clock::now();
  return grace < SteadyTime::max() - now ? now + grace : SteadyTime::max();
}

}  // namespace

// ~WorkPool has joined the threads before any of this goes.
struct WorkPool::State {
  explicit State(WorkPoolOptions options)
      : limits(LimitsOf(options)),
        threads(std::move(options.name), limits),
        closures{.pool = threads, .stop = {}, .on_exception = std::move(options.on_exception)} {}

  const PoolLimits limits;  // the bounds that Resize keeps
  ThreadPool threads;
  ClosureContext closures;
};

WorkPool::WorkPool(WorkPoolOptions options) : state_(std::make_unique<State>(std::move(options))) {}

WorkPool::~WorkPool() {
  Stop(std::chrono::nanoseconds::max());
  state_->threads.Join(SteadyTime::max());
}

// --- posting --------------------------------------------------------------------------------

WorkPool::Posted WorkPool::TryPost(Work work, PostOptions options) {
  CheckPost(work, options);
  auto* task = new ClosureTask(state_->closures, std::move(work), std::move(options));
  const OfferResult result = state_->threads.Offer(*task, WhenFull::kReject);
  if (result.verdict != Verdict::kRefused) return {};
  task->Unref();
  return std::unexpected(result.refusal);
}

WorkPool::Posted WorkPool::Post(Work work, PostOptions options, std::optional<SteadyTime> deadline,
                                std::stop_token stop) {
  CheckPost(work, options);
  ThreadPool& threads = state_->threads;
  if (!deadline && threads.OnOwnThread()) {
    throw std::logic_error("workpool: a worker that posts to its own pool must give a deadline");
  }
  RoomWait wait;
  auto* task = new ClosureTask(state_->closures, std::move(work), std::move(options));
  task->WaitWith(wait);
  const OfferResult offered = threads.Offer(*task, WhenFull::kWait);
  std::optional<Refusal> refusal;
  bool pool_is_done = false;  // and its reference is left to this thread
  if (offered.verdict == Verdict::kRefused) {
    refusal = offered.refusal;
    pool_is_done = true;
  } else if (offered.verdict == Verdict::kWaiting) {
    const RoomWait::Outcome outcome = wait.Await(deadline, stop);
    refusal = outcome.refusal;
    if (!outcome.told) {
      pool_is_done = threads.GiveUp(*task, *outcome.refusal);
      if (!pool_is_done) refusal = wait.AwaitTold();
    }
  }
  if (pool_is_done) task->Unref();
  task->Unref();
  if (refusal) return std::unexpected(*refusal);
  return {};
}

// --- control --------------------------------------------------------------------------------

void WorkPool::Resize(std::uint32_t workers, std::uint64_t capacity) {
  if (workers == 0) throw std::invalid_argument("workpool: a pool needs at least 1 worker");
  PoolLimits limits = state_->limits;
  limits.workers = workers;
  limits.capacity = capacity;
  state_->threads.Resize(limits);
}

void WorkPool::Pause() { state_->threads.Pause(); }

void WorkPool::Resume() { state_->threads.Resume(); }

bool WorkPool::Drain(SteadyTime deadline) {
  if (state_->threads.OnOwnThread()) {
    throw std::logic_error("workpool: a worker cannot wait until its own pool is drained");
  }
  state_->threads.Drain();
  return state_->threads.AwaitIdle(deadline);
}

WorkPool::StopReport WorkPool::Stop(std::chrono::nanoseconds grace) {
  ThreadPool& threads = state_->threads;
  const SteadyTime deadline = After(grace);
  threads.Close(true);
  const bool from_closure = ClosureTask::BecomeBystander(threads);
  const bool ended = from_closure ? threads.AwaitOthers(deadline) : threads.AwaitIdle(deadline);
  StopReport report;
  if (!ended) {
    threads.Close(false);
    state_->closures.stop.request_stop();
    threads.AwaitNotices();
    const std::vector<Task*> dropped = threads.TakeQueued();
    for (Task* task : dropped) static_cast<ClosureTask*>(task)->Unref();
    report.dropped = dropped.size();
  }
  const std::uint64_t own = from_closure ? 1 : 0;
  report.running = std::max(threads.Read().active, own) - own;
  return report;
}

// --- reading --------------------------------------------------------------------------------

PoolStats WorkPool::Read() const { return state_->threads.Read(); }

std::uint64_t WorkPool::exceptions() const {
  return state_->closures.exceptions.load(std::memory_order_relaxed);
}

}  // namespace workpool
