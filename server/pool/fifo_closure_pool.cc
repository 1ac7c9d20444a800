#include <memory>
#include <string>
#include <utility>

#include "pool/closure_pool.h"
#include "pool/closure_run.h"
#include "pool/fifo_pool.h"
#include "pool/system_platform.h"

namespace workpool {
namespace {

struct Closure {
  Closure(WorkPool::Work& the_work, std::string& the_caller) : work(std::move(the_work)) {
    if (!the_caller.empty()) caller = std::make_unique<const std::string>(std::move(the_caller));
  }

  WorkPool::Work work;
  std::unique_ptr<const std::string> caller;  // if it has a name: most have none
};

struct RunClosure {
  RunStatus operator()(Closure& closure, Place place) const noexcept {
    static const std::string nobody;
    return ClosureRun::Run(
        *context, place, closure.caller == nullptr ? nobody : *closure.caller,
        [&closure](Worker& worker) { closure.work(worker); },
        [&closure] { closure.work = nullptr; });
  }

  ClosureContext* context;
};

class FifoClosurePool final : public ClosurePool {
 public:
  explicit FifoClosurePool(WorkPoolOptions options)
      : limits_{.workers = options.workers,
                .capacity = options.capacity,
                .max_waiting = options.max_waiting},
        context_(pool_, std::move(options.on_exception)),
        pool_(std::move(options.name), limits_, options.threads, RunClosure{&context_}) {}
  ~FifoClosurePool() override {
    Stop(std::chrono::nanoseconds::max());
    pool_.Join(SteadyTime::max());
  }

  Posted TryPost(Work& work, PostOptions& options) override {
    Closure closure(work, options.caller);
    return pool_.TryPost(closure);
  }
  Posted Post(Work& work, PostOptions& options, std::optional<SteadyTime> deadline,
              const std::stop_token& stop) override {
    Closure closure(work, options.caller);
    return pool_.Post(closure, deadline, stop);
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
    return StopClosures(pool_, context_, grace, [this] { return pool_.TakeQueued().size(); });
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
  ClosureContext context_;
  FifoPool<Closure, RunClosure, SystemPlatform> pool_;
};

}  // namespace

std::unique_ptr<ClosurePool> MakeFifoClosurePool(WorkPoolOptions options) {
  return std::make_unique<FifoClosurePool>(std::move(options));
}

}  // namespace workpool
