#include "pool/closure_task.h"

#include <utility>

namespace workpool {

ClosureTask::ClosureTask(ClosureContext& context, WorkPool::Work work, PostOptions options)
    : context_(context), work_(std::move(work)), caller_(std::move(options.caller)) {
  priority = options.priority;
  bytes = options.bytes;
  weight = options.weight;
  offered_at = std::chrono::steady_clock::now();
}

void ClosureTask::WaitWith(RoomWait& wait) {
  wait_ = &wait;
  references_.fetch_add(1, std::memory_order_relaxed);
}

void ClosureTask::Unref() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

RunStatus ClosureTask::Run(Place place) noexcept {
  const RunStatus status = ClosureRun::Run(
      context_, place, caller_, [this](Worker& worker) { work_(worker); },
      [this] { work_ = nullptr; });
  Unref();
  return status;
}

void ClosureTask::WaitAccepted() noexcept { wait_->Tell(std::nullopt); }

void ClosureTask::WaitRefused(Refusal refusal) noexcept {
  wait_->Tell(refusal);
  Unref();
}

}  // namespace workpool
