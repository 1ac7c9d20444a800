// A work pool whose function is given once: a job is only the value that the function is called
// with. Posting allocates nothing, beyond what the value itself does: values lie in the queue.
//
//   workpool::FunctionPool<int> pool({.name = "squares", .workers = 8, .capacity = 100},
//                                    [](int value, workpool::Worker&) { Use(value * value); });
//   auto invoked = pool.TryInvoke(7);
//   if (!invoked) ...                // invoked.error() == workpool::Refusal::kQueueFull
//
// Thread safe throughout; the function is called by several threads at the same time. Otherwise as
// WorkPool, of which it has everything but priorities and bytes: exceptions that the function
// throws are caught, counted and handed to `on_exception`; Worker::Defer keeps the worker.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>

#include "pool/closure_run.h"
#include "pool/fifo_pool.h"
#include "pool/system_platform.h"
#include "pool/work_pool.h"

namespace workpool {

// T must be movable, without exceptions.
template <typename T>
class FunctionPool {
  static_assert(std::is_nothrow_move_constructible_v<T>);

 public:
  using Function = std::function<void(T, Worker&)>;
  using Invoked = WorkPool::Posted;

  // Throws std::invalid_argument for no workers, an empty function, or options that it does not
  // have; std::system_error if the system refuses the first thread.
  FunctionPool(WorkPoolOptions options, Function function)
      : limits_(LimitsOf(options, function)),
        context_(pool_, std::move(options.on_exception)),
        pool_(std::move(options.name), limits_, options.threads,
              Call{&context_, std::move(function)}) {}
  // Stop with no deadline; see ~WorkPool.
  ~FunctionPool() {
    Stop(std::chrono::nanoseconds::max());
    pool_.Join(SteadyTime::max());
  }

  // Answers at once. A refused value is destroyed.
  Invoked TryInvoke(T value) { return pool_.TryPost(value); }
  // Waits for room, as WorkPool::Post does.
  Invoked Invoke(T value, std::optional<SteadyTime> deadline = std::nullopt,
                 const std::stop_token& stop = {}) {
    ThrowOnOwnThread(!deadline, "a worker that posts to its own pool must give a deadline");
    return pool_.Post(value, deadline, stop);
  }

  // As WorkPool's.
  void Resize(std::uint32_t workers, std::uint64_t capacity) {
    if (workers == 0) throw std::invalid_argument("workpool: a pool needs at least 1 worker");
    PoolLimits limits = limits_;
    limits.workers = workers;
    limits.capacity = capacity;
    pool_.Resize(limits);
  }
  void Pause() { pool_.Pause(); }
  void Resume() { pool_.Resume(); }
  bool Drain(SteadyTime deadline) {
    ThrowOnOwnThread(true, "a worker cannot wait until its own pool is drained");
    pool_.Drain();
    return pool_.AwaitIdle(deadline);
  }
  StopReport Stop(std::chrono::nanoseconds grace) {
    return StopClosures(pool_, context_, grace, [this] { return pool_.TakeQueued().size(); });
  }

  PoolStats Read() { return pool_.Read(); }
  std::uint64_t exceptions() const { return context_.exceptions.load(std::memory_order_relaxed); }
  std::uint64_t threads_started() { return pool_.threads_started(); }
  std::uint64_t threads() { return pool_.threads(); }

 private:
  struct Call {
    RunStatus operator()(T& value, Place place) const noexcept {
      static const std::string nobody;
      return ClosureRun::Run(
          *context, place, nobody, [&](Worker& worker) { function(std::move(value), worker); },
          [] {});
    }

    ClosureContext* context;
    Function function;
  };

  static PoolLimits LimitsOf(const WorkPoolOptions& options, const Function& function) {
    CheckPlain(options);
    if (!function) throw std::invalid_argument("workpool: the function is empty");
    return {.workers = options.workers,
            .capacity = options.capacity,
            .max_waiting = options.max_waiting};
  }

  void ThrowOnOwnThread(bool forbidden, const char* why) const {
    if (forbidden && pool_.OnOwnThread()) throw std::logic_error(std::string("workpool: ") + why);
  }

  const PoolLimits limits_;  // the bounds that Resize keeps
  ClosureContext context_;
  FifoPool<T, Call, SystemPlatform> pool_;
};

}  // namespace workpool
