// A closure as a task of a ThreadPool.
#pragma once

#include <atomic>
#include <string>

#include "pool/closure_run.h"
#include "pool/room_wait.h"
#include "pool/work_pool.h"

namespace workpool {

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

 private:
  ~ClosureTask() override = default;

  ClosureContext& context_;
  WorkPool::Work work_;
  const std::string caller_;
  RoomWait* wait_ = nullptr;
  std::atomic<int> references_ = 1;
};

}  // namespace workpool
