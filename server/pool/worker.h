// What a closure of a WorkPool is handed: the worker that it runs on.
#pragma once

#include <cstdint>
#include <stop_token>

#include "pool/places.h"

namespace workpool {

// Keeps a worker taken after its closure has returned; frees it when it is completed or destroyed.
// Movable; may be used from any thread, by one at a time. Its pool's destructor waits for it.
class Completion {
 public:
  Completion() = default;
  Completion(Completion&& other) noexcept;
  Completion& operator=(Completion&& other) noexcept;
  ~Completion();

  // Frees the worker; does nothing the second time.
  void Complete();

 private:
  friend class Worker;
  Completion(Places& pool, Place place) : pool_(&pool), place_(place) {}

  Places* pool_ = nullptr;  // nullptr: nothing (more) to complete
  Place place_;
};

// Not thread safe: for the closure's own thread, until the closure returns.
class Worker {
 public:
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // 0..n-1; no other closure has it until this one is done.
  std::uint32_t number() const { return place_.worker; }
  // The pool's stop token: requested when Stop's grace is over.
  const std::stop_token& stop_token() const { return stop_; }
  // The work goes on after the closure has returned: the worker stays taken until the completion
  // is completed or destroyed. Once a closure, else std::logic_error.
  Completion Defer();

 private:
  friend class ClosureRun;
  // The stop token is the pool's.
  Worker(Places& pool, Place place, const std::stop_token& stop)
      : pool_(pool), place_(place), stop_(stop) {}

  Places& pool_;
  const Place place_;
  const std::stop_token& stop_;
  bool deferred_ = false;
};

}  // namespace workpool
