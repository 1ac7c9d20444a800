// The threads that drive a TaskPool: at most one thread a worker, started when first needed, last
// used first reused. At most one thread that is still looking for work is awake beside the busy
// ones; it wakes the next when it has taken a task and more are ready.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "pool/task_pool.h"

namespace workpool {

class ThreadPool final : public TaskPool {
 public:
  // `name` names the threads (cut to 15 characters) for debuggers and top. Starts the first thread,
  // so that whatever the pool accepts can run: throws std::system_error if the system refuses. One
  // that it refuses later is tried again at the next occasion; the threads there are do the work.
  ThreadPool(std::string name, const PoolLimits& limits);
  // Calls Close(false) if Close has not been called, then waits for running tasks, however long.
  ~ThreadPool() override;

  // After Close: waits until every started task has been handed back and every thread has ended.
  // False when `deadline` came first; then the pool must not be destroyed while tasks still run,
  // and Join may be called again. Must not be called from a task of this pool.
  bool Join(SteadyTime deadline) override;

  // True on a thread of this pool.
  bool OnOwnThread() const;

  // Threads started since construction; what idle threads cost is thereby visible.
  std::uint64_t threads_started() const;
  // Threads that exist now.
  std::uint64_t threads() const;

 private:
  struct Thread;
  struct Choice {
    Thread* thread = nullptr;
    bool start = false;  // it has no thread yet
  };

  void UnlockAndWake() override RELEASE(mutex_);
  Choice ChooseThread() REQUIRES(mutex_);
  Thread* ChooseIdle() REQUIRES(mutex_);
  Thread& TakeSlot() REQUIRES(mutex_);
  void Start(Thread& thread) EXCLUDES(mutex_);
  void StartFailed(Thread& thread, const char* reason) EXCLUDES(mutex_);

  void Main(Thread& me) EXCLUDES(mutex_);
  Admission::Started NextTask(Thread& me, const Place* finished) EXCLUDES(mutex_);
  Admission::Started TakeOrTell(Thread& me) REQUIRES(mutex_);
  void Sleep(Thread& me) REQUIRES(mutex_);
  void End(Thread& me) REQUIRES(mutex_);
  bool AwaitThreads(SteadyTime deadline) EXCLUDES(mutex_);

  const std::string name_;
  std::vector<std::unique_ptr<Thread>> threads_ GUARDED_BY(mutex_);  // slots, reused
  std::vector<Thread*> vacant_ GUARDED_BY(mutex_);                   // slots without a live thread
  std::vector<Thread*> idle_ GUARDED_BY(mutex_);                     // asleep; the last goes first
  std::uint64_t alive_ GUARDED_BY(mutex_) = 0;                       // starting ones included
  std::uint64_t in_tasks_ GUARDED_BY(mutex_) = 0;                    // of those: inside Task::Run
  std::uint64_t started_ GUARDED_BY(mutex_) = 0;
  bool searching_ GUARDED_BY(mutex_) = false;  // a woken or new thread has not yet looked for work
  bool stopping_ GUARDED_BY(mutex_) = false;
  bool start_failed_ GUARDED_BY(mutex_) = false;
};

}  // namespace workpool
