// The threads that drive a TaskPool: one thread a worker, started when first needed, last used
// first reused. At most one worker that is still looking for work is awake beside the busy ones; it
// wakes the next when it has taken a task and more are ready.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "pool/task_pool.h"

namespace workpool {

class ThreadPool final : public TaskPool {
 public:
  // `name` names the threads (cut to 15 characters) for debuggers and top.
  ThreadPool(std::string name, const PoolLimits& limits);
  // Calls Close(false) if that has not been done, then waits for running tasks, however long.
  ~ThreadPool() override;

  // After Close: waits until every started task has been handed back and every thread has ended.
  // False when `deadline` came first; then the pool must not be destroyed while tasks still run,
  // and Join may be called again. Must not be called from a task of this pool.
  bool Join(SteadyTime deadline);

  // True on a thread of this pool.
  bool OnOwnThread() const;

  // Threads started since construction; what idle threads cost is thereby visible.
  std::uint64_t threads_started() const;
};

}  // namespace workpool
