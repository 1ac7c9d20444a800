// The bounded work pool as a library: closures, workers, exact back-pressure. Needs nothing but the
// standard library. docs/pool.md shows its use.
//
//   workpool::WorkPool pool({.name = "images", .workers = 8, .capacity = 100});
//   auto posted = pool.TryPost([](workpool::Worker& worker) { Resize(worker.number()); });
//   if (!posted) ...                 // posted.error() == workpool::Refusal::kQueueFull
//   pool.Stop(std::chrono::seconds(30));
//
// Thread safe throughout. Exceptions of every type that a closure throws are caught, counted and
// handed to `on_exception`; the worker lives.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "pool/admission.h"
#include "pool/crew.h"
#include "pool/worker.h"

namespace workpool {

struct PostOptions {
  std::uint8_t priority = kDefaultPriority;  // 0..9; another than the default needs `priorities`
  std::uint64_t bytes = 0;                   // any need `capacity_bytes`, and count against them
  std::uint32_t weight = 1;                  // workers that it takes; above 1 needs `weights`
  std::string caller = {};                   // who posts: handed to on_exception, for logs
};

struct WorkPoolOptions {
  std::string name = "pool";  // also the threads' name, cut to 15 characters
  std::uint32_t workers = 1;  // at least 1
  std::uint64_t capacity = 0;
  // Posts may have a priority, a weight, or bytes that count against this bound. A pool that has
  // none of these is plain first come, first served, and several times as fast.
  bool priorities = false;
  bool weights = false;
  std::optional<std::uint64_t> capacity_bytes = std::nullopt;
  std::uint64_t max_waiting = 10'000;
  // Threads: by default as many as workers, started when needed and then kept. Fewer (`max`) are
  // enough where closures Defer, and so hold a worker but no thread.
  ThreadBounds threads = {};
  // Called on the worker's thread; must not throw.
  std::function<void(std::exception_ptr, const std::string& caller)> on_exception = {};
};

struct StopReport {
  std::uint64_t dropped = 0;  // queued closures that this call dropped: they will not run
  std::uint64_t running = 0;  // closures still running, the caller's own not counted
};

class ClosurePool;

// Misuse (no workers, a priority above 9, an empty closure, a weight of 0, a priority, weight
// or bytes in a pool without)
// throws std::invalid_argument.
class WorkPool {
 public:
  using Work = std::move_only_function<void(Worker&)>;
  using Posted = std::expected<void, Refusal>;

  // Throws std::system_error if the system refuses the first thread.
  explicit WorkPool(WorkPoolOptions options);
  // Stop with no deadline: runs what is queued, waits for running closures and completions. Not
  // from a closure of this pool. Work that an earlier Stop dropped stays dropped.
  ~WorkPool();

  // Answers at once. A refused closure is destroyed. One that weighs more than the pool has workers
  // now is refused with kTooHeavy; if the pool is made smaller later, it runs alone in its turn.
  Posted TryPost(Work work, PostOptions options = {});

  // Waits for room until `deadline` or until `stop` is requested (kCancelled). Without a deadline
  // it waits for ever; from a worker of the same pool that would be a deadlock, so there it throws
  // std::logic_error.
  Posted Post(Work work, PostOptions options = {},
              std::optional<SteadyTime> deadline = std::nullopt, std::stop_token stop = {});

  // Drops nothing: a smaller pool shrinks as closures finish; a larger one serves waits at once.
  void Resize(std::uint32_t workers, std::uint64_t capacity);
  // Nothing new starts; posts are still accepted while there is room.
  void Pause();
  // Ends a pause or a drain, not a stop.
  void Resume();
  // Refuses posts and waits until nothing is queued or active; false when `deadline` came first.
  // Resume takes posts again. From a closure of this pool it could not end: std::logic_error.
  bool Drain(SteadyTime deadline);

  using StopReport = workpool::StopReport;
  // Refuses posts and ends waits for room, for good; runs what is queued until `grace` is over,
  // then requests the workers' stop token and drops the rest. Waits for running closures only as
  // long as `grace`. May be called more than once and concurrently: the shortest grace counts.
  //
  // From a closure of this pool it waits only until all others that run have ended or called Stop
  // themselves; what is queued behind them runs when they have returned.
  StopReport Stop(std::chrono::nanoseconds grace);

  PoolStats Read() const;
  // How many closures threw.
  std::uint64_t exceptions() const;
  // Threads started since construction, and those that exist now.
  std::uint64_t threads_started() const;
  std::uint64_t threads() const;

 private:
  void Check(const Work& work, const PostOptions& options) const;

  const bool priorities_;
  const bool weights_;
  const bool bytes_;
  const std::unique_ptr<ClosurePool> pool_;
};

}  // namespace workpool
