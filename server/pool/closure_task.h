// A closure as a task of the WorkPool's threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <stop_token>
#include <string>

#include "pool/room_wait.h"
#include "pool/thread_pool.h"
#include "pool/work_pool.h"

namespace workpool {

// What the closures of one pool share.
struct ClosureContext {
  TaskPool& pool;
  std::stop_source stop;
  std::function<void(std::exception_ptr, const std::string& caller)> on_exception;
  std::atomic<std::uint64_t> exceptions = 0;
};

// Counts references, as a poster that waits may outlive the run, and the run the wait. Begins with
// one, which is the pool's; Run and WaitRefused give it back.
class ClosureTask final : public Task {
 public:
  ClosureTask(ClosureContext& context, WorkPool::Work work, PostOptions options);

  // Adds a reference, the poster's, whom the outcome of a wait is told. Before Offer.
  void WaitWith(RoomWait& wait);
  void Unref();

  RunStatus Run(Place place) noexcept override;
  void WaitAccepted() noexcept override;
  void WaitRefused(Refusal refusal) noexcept override;

  // If the calling thread runs a closure of `pool`, makes that a bystander (TaskPool::AddBystander)
  // until it ends; false if it runs none.
  static bool BecomeBystander(TaskPool& pool);

 private:
  struct Running;

  ~ClosureTask() override = default;
  void Call(Worker& worker) noexcept;
  void Report(std::exception_ptr thrown) noexcept;

  ClosureContext& context_;
  WorkPool::Work work_;
  const std::string caller_;
  RoomWait* wait_ = nullptr;
  std::atomic<int> references_ = 1;
};

}  // namespace workpool
