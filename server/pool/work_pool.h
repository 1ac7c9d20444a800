// The bounded work pool as a library: closures, workers, exact back-pressure. Needs nothing but the
// standard library.
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

#include "pool/task_pool.h"

namespace workpool {

// Frees the worker when it is completed or destroyed; movable, from any thread.
class Completion {
 public:
  Completion() = default;
  Completion(Completion&&) noexcept;
  Completion& operator=(Completion&&) noexcept;
  ~Completion();
  void Complete();
  // The implementation adds its state.
};

// What a closure is handed.
class Worker {
 public:
  // 0..n-1, stable while the closure runs.
  std::uint32_t number() const;
  // The pool's stop token: requested when Stop's deadline has passed.
  std::stop_token stop_token() const;
  // The work goes on after the closure has returned: the worker stays taken until the completion
  // is.
  Completion Defer();
};

struct PostOptions {
  std::uint8_t priority = kDefaultPriority;  // 0..9
  std::uint64_t bytes = 0;                   // counted against capacity_bytes
  std::string caller;                        // who posts: handed to on_exception, for logs
};

struct WorkPoolOptions {
  std::string name = "pool";
  std::uint32_t workers = 1;  // at least 1, else std::invalid_argument
  std::uint64_t capacity = 0;
  std::uint64_t capacity_bytes = std::uint64_t{256} << 20;
  std::uint64_t max_waiting = 10'000;
  // Called on the worker's thread; must not throw.
  std::function<void(std::exception_ptr, const std::string& caller)> on_exception;
};

class WorkPool {
 public:
  using Work = std::move_only_function<void(Worker&)>;
  using Posted = std::expected<void, Refusal>;

  explicit WorkPool(WorkPoolOptions options);
  // Stop with no deadline: runs what is queued.
  ~WorkPool();

  // Answers at once.
  Posted TryPost(Work work, PostOptions options = {});

  // Waits for room until `deadline` or until `stop` is requested (kCancelled). Without a deadline
  // it waits for ever; from a worker of the same pool that would be a deadlock, so there it throws
  // std::logic_error.
  Posted Post(Work work, PostOptions options = {},
              std::optional<SteadyTime> deadline = std::nullopt, std::stop_token stop = {});

  void Resize(std::uint32_t workers, std::uint64_t capacity);
  void Pause();
  void Resume();
  // Refuses posts and waits until nothing is queued or active; false when `deadline` came first.
  // Resume takes posts again.
  bool Drain(SteadyTime deadline);

  // Refuses posts, ends waits for room, runs what is queued until `grace` is over, then requests
  // the workers' stop token and drops the rest. Waits for running closures only as long as `grace`.
  // Callable from a worker, which is then not waited for; callable more than once.
  struct StopReport {
    std::uint64_t dropped = 0;  // queued closures that did not run
    std::uint64_t running = 0;  // closures still running
  };
  StopReport Stop(std::chrono::nanoseconds grace);

  PoolStats Read() const;
  std::uint64_t exceptions() const;
};

}  // namespace workpool
