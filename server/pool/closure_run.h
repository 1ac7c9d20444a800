// Running a posted closure on a worker, whatever pool it is in: exceptions, deferral, and Stop.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>

#include "pool/places.h"
#include "pool/work_pool.h"
#include "pool/worker.h"

namespace workpool {

// What the closures of one pool share. Thread safe.
struct ClosureContext {
  ClosureContext(Places& the_places,
                 std::function<void(std::exception_ptr, const std::string& caller)> listener)
      : places(the_places), on_exception(std::move(listener)) {}

  void Report(std::exception_ptr thrown, const std::string& caller) noexcept;

  Places& places;
  std::stop_source stop;
  const std::stop_token token = stop.get_token();
  const std::function<void(std::exception_ptr, const std::string& caller)> on_exception;
  std::atomic<std::uint64_t> exceptions = 0;
};

class ClosureRun {
 public:
  // Calls `work`, then `drop`, which destroys what it captured before its place is free.
  template <typename Work, typename Drop>
  static RunStatus Run(ClosureContext& context, Place place, const std::string& caller, Work work,
                       Drop drop) noexcept {
    const ClosureRun running(context.places);
    Worker worker(context.places, place, context.token);
    try {
      work(worker);
    } catch (...) {
      context.Report(std::current_exception(), caller);
    }
    drop();
    return worker.deferred_ ? RunStatus::kPending : RunStatus::kFinished;
  }

  // If the calling thread runs a closure of `pool`, makes that a bystander (Places::AddBystander)
  // until it ends; false if it runs none.
  static bool BecomeBystander(Places& pool);

  ClosureRun(const ClosureRun&) = delete;
  ClosureRun& operator=(const ClosureRun&) = delete;

 private:
  explicit ClosureRun(Places& pool) : pool_(pool) { current = this; }
  ~ClosureRun() {
    current = nullptr;
    if (bystander_) pool_.RemoveBystander();
  }

  inline static thread_local ClosureRun* current = nullptr;  // that of the calling thread

  Places& pool_;
  bool bystander_ = false;
};

// Throws std::invalid_argument for what a pool without priorities and bytes does not offer.
void CheckPlain(const WorkPoolOptions& options);

inline SteadyTime After(std::chrono::nanoseconds grace) {
  const SteadyTime now = std::chrono::steady_clock::now();
  return grace < SteadyTime::max() - now ? now + grace : SteadyTime::max();
}

// WorkPool::Stop. `drop` takes out what is queued and says how many those were.
template <typename Pool, typename Drop>
StopReport StopClosures(Pool& pool, ClosureContext& context, std::chrono::nanoseconds grace,
                        Drop drop) {
  const SteadyTime deadline = After(grace);
  pool.Close(true);
  const bool from_closure = ClosureRun::BecomeBystander(pool);
  const bool ended = from_closure ? pool.AwaitOthers(deadline) : pool.AwaitIdle(deadline);
  StopReport report;
  if (!ended) {
    pool.Close(false);
    context.stop.request_stop();
    report.dropped = drop();
  }
  const std::uint64_t own = from_closure ? 1 : 0;
  report.running = std::max(pool.Read().active, own) - own;
  return report;
}

}  // namespace workpool
