#include <utility>
#include <vector>

#include "pool/closure_pool.h"
#include "pool/closure_run.h"
#include "pool/closure_task.h"
#include "pool/room_wait.h"
#include "pool/thread_pool.h"

namespace workpool {
namespace {

PoolLimits LimitsOf(const WorkPoolOptions& options) {
  PoolLimits limits{
      .workers = options.workers, .capacity = options.capacity, .max_waiting = options.max_waiting};
  if (options.capacity_bytes) limits.capacity_bytes = *options.capacity_bytes;
  return limits;
}

class FullClosurePool final : public ClosurePool {
 public:
  explicit FullClosurePool(WorkPoolOptions options)
      : limits_(LimitsOf(options)),
        pool_(std::move(options.name), limits_),
        context_(pool_, std::move(options.on_exception)) {
    pool_.SetThreadBounds(options.threads);
  }
  // Before any of this goes the threads have ended.
  ~FullClosurePool() override {
    Stop(std::chrono::nanoseconds::max());
    pool_.Join(SteadyTime::max());
  }

  Posted TryPost(Work& work, PostOptions& options) override {
    auto* task = new ClosureTask(context_, std::move(work), std::move(options));
    const OfferResult result = pool_.Offer(*task, WhenFull::kReject);
    if (result.verdict != Verdict::kRefused) return {};
    task->Unref();
    return std::unexpected(result.refusal);
  }

  Posted Post(Work& work, PostOptions& options, std::optional<SteadyTime> deadline,
              const std::stop_token& stop) override {
    RoomWait wait;
    auto* task = new ClosureTask(context_, std::move(work), std::move(options));
    task->WaitWith(wait);
    const OfferResult offered = pool_.Offer(*task, WhenFull::kWait);
    std::optional<Refusal> refusal;
    bool pool_is_done = false;  // and its reference is left to this thread
    if (offered.verdict == Verdict::kRefused) {
      refusal = offered.refusal;
      pool_is_done = true;
    } else if (offered.verdict == Verdict::kWaiting) {
      const RoomWait::Outcome outcome = wait.Await(deadline, stop);
      refusal = outcome.refusal;
      if (!outcome.told) {
        pool_is_done = pool_.GiveUp(*task, *outcome.refusal);
        if (!pool_is_done) refusal = wait.AwaitTold();
      }
    }
    if (pool_is_done) task->Unref();
    task->Unref();
    if (refusal) return std::unexpected(*refusal);
    return {};
  }

  void Resize(std::uint32_t workers, std::uint64_t capacity) override {
    PoolLimits limits = limits_;
    limits.workers = workers;
    limits.capacity = capacity;
    pool_.Resize(limits);
  }
  void Pause() override { pool_.Pause(); }
  void Resume() override { pool_.Resume(); }
  bool Drain(SteadyTime deadline) override {
    pool_.Drain();
    return pool_.AwaitIdle(deadline);
  }
  StopReport Stop(std::chrono::nanoseconds grace) override {
    return StopClosures(pool_, context_, grace, [this] {
      pool_.AwaitNotices();
      const std::vector<Task*> dropped = pool_.TakeQueued();
      for (Task* task : dropped) static_cast<ClosureTask*>(task)->Unref();
      return dropped.size();
    });
  }

  PoolStats Read() override { return pool_.Read(); }
  bool OnOwnThread() const override { return pool_.OnOwnThread(); }
  std::uint64_t exceptions() const override {
    return context_.exceptions.load(std::memory_order_relaxed);
  }
  std::uint64_t threads_started() override { return pool_.threads_started(); }
  std::uint64_t threads() override { return pool_.threads(); }

 private:
  const PoolLimits limits_;  // the bounds that Resize keeps
  ThreadPool pool_;
  ClosureContext context_;
};

}  // namespace

std::unique_ptr<ClosurePool> MakeFullClosurePool(WorkPoolOptions options) {
  return std::make_unique<FullClosurePool>(std::move(options));
}

}  // namespace workpool
