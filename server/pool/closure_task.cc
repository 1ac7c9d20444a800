#include "pool/closure_task.h"

#include <utility>

namespace workpool {

// The closure that a thread is running.
struct ClosureTask::Running {
  explicit Running(TaskPool& the_pool) : pool(the_pool) { t_running = this; }
  ~Running() {
    t_running = nullptr;
    if (bystander) pool.RemoveBystander();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  static thread_local Running* t_running;

  TaskPool& pool;
  bool bystander = false;
};

thread_local ClosureTask::Running* ClosureTask::Running::t_running = nullptr;

ClosureTask::ClosureTask(ClosureContext& context, WorkPool::Work work, PostOptions options)
    : context_(context), work_(std::move(work)), caller_(std::move(options.caller)) {
  priority = options.priority;
  bytes = options.bytes;
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
  RunStatus status = RunStatus::kFinished;
  {
    const Running running(context_.pool);
    Worker worker(context_.pool, place, context_.stop.get_token());
    Call(worker);
    work_ = nullptr;  // what it captured is gone before its place is free
    if (worker.deferred_) status = RunStatus::kPending;
  }
  Unref();
  return status;
}

void ClosureTask::Call(Worker& worker) noexcept {
  try {
    work_(worker);
  } catch (...) {
    Report(std::current_exception());
  }
}

void ClosureTask::Report(std::exception_ptr thrown) noexcept {
  context_.exceptions.fetch_add(1, std::memory_order_relaxed);
  if (context_.on_exception) context_.on_exception(std::move(thrown), caller_);
}

void ClosureTask::WaitAccepted() noexcept { wait_->Tell(std::nullopt); }

void ClosureTask::WaitRefused(Refusal refusal) noexcept {
  wait_->Tell(refusal);
  Unref();
}

bool ClosureTask::BecomeBystander(TaskPool& pool) {
  Running* running = Running::t_running;
  if (running == nullptr || &running->pool != &pool) return false;
  if (!std::exchange(running->bystander, true)) pool.AddBystander();
  return true;
}

}  // namespace workpool
