// The threads that drive a TaskPool: at most one thread a worker, and no more for brief tasks than
// the cores can use, started when first needed, last used first reused. At most one thread that is
// still looking for work is awake beside the busy ones; it wakes the next when it has taken a task
// and more are ready. While tasks are short it takes none, but looks now and then whether they
// still are: the busy ones do them sooner than it could take them over.
#pragma once

#include <optional>
#include <string>

#include "pool/crew.h"
#include "pool/system_platform.h"
#include "pool/task_pool.h"

namespace workpool {

class ThreadPool final : public TaskPool {
 public:
  // `name` names the threads (cut to 15 characters) for debuggers and top. Starts the first thread,
  // so that whatever the pool accepts can run: throws std::system_error if the system refuses. One
  // that it refuses later is tried again at the next occasion; the threads there are do the work.
  // If there are none (min = 0), the call that needed one tries until it gets it.
  ThreadPool(std::string name, const PoolLimits& limits);
  // Calls Close(false) if Close has not been called, then waits for running tasks, however long.
  ~ThreadPool() override;

  // After Close: waits until every started task has been handed back and every thread has ended.
  // False when `deadline` came first; then the pool must not be destroyed while tasks still run,
  // and Join may be called again. Must not be called from a task of this pool.
  bool Join(SteadyTime deadline) override;

  // Takes effect at once; an idle thread that is one too many ends. By default threads are kept as
  // long as there are so many workers.
  void SetThreadBounds(const ThreadBounds& bounds);
  // The same for two of the bounds; the others stay.
  void KeepThreads(std::uint32_t min, std::chrono::nanoseconds idle) override;

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

  static constexpr std::chrono::microseconds kWatch{200};
  static constexpr std::chrono::microseconds kWatchBrief{1000};
  // A brief task that neither ends nor uses a processor waits for one, but hardly for so long.
  static constexpr std::chrono::milliseconds kPatience{10};
  // Posts whose wait has ended are told so at the latest after this time and one brief task.
  static constexpr std::chrono::microseconds kTellWithin{50};

  void PutBounds(const ThreadBounds& bounds) RELEASE(mutex_);
  void UnlockAndWake() override RELEASE(mutex_);
  bool Obliged() const REQUIRES(mutex_);
  std::uint64_t Busy() const REQUIRES(mutex_);
  void Search(Thread& thread) REQUIRES(mutex_);
  void StopSearching(Thread& thread) REQUIRES(mutex_);
  Choice ChooseThread() REQUIRES(mutex_);
  Thread* ChooseIdle() REQUIRES(mutex_);
  std::uint64_t MostThreads(std::uint64_t places) const REQUIRES(mutex_);
  bool Surplus() const REQUIRES(mutex_);
  Thread& Hire() REQUIRES(mutex_);
  void Start(Thread& thread) EXCLUDES(mutex_);
  bool StartFailed(Thread& thread, int error) EXCLUDES(mutex_);

  static void* Main(void* thread);
  void Work(Thread& me) EXCLUDES(mutex_);
  Admission::Started NextTask(Thread& me, const Place* finished) EXCLUDES(mutex_);
  Admission::Started TakeOrTell(Thread& me) REQUIRES(mutex_);
  bool MayTellLater(const Admission::Started& next) REQUIRES(mutex_);
  bool MayWatch(Thread& me) REQUIRES(mutex_);
  void Watch(Thread& me) REQUIRES(mutex_);
  void CallWatcher() REQUIRES(mutex_);
  bool Sleep(Thread& me) REQUIRES(mutex_);
  bool AwaitThreads(SteadyTime deadline) EXCLUDES(mutex_);

  const std::string name_;
  Crew<Thread, SystemPlatform> crew_ GUARDED_BY(mutex_);
  std::uint64_t in_tasks_ GUARDED_BY(mutex_) = 0;        // threads inside Task::Run
  std::uint64_t in_brief_tasks_ GUARDED_BY(mutex_) = 0;  // of those
  bool searching_ GUARDED_BY(mutex_) = false;  // a woken or new thread has not yet looked for work
  Thread* recent_ GUARDED_BY(mutex_) = nullptr;    // took the latest task
  Thread* watcher_ GUARDED_BY(mutex_) = nullptr;   // looks now and then, while tasks are short
  bool watches_brief_ GUARDED_BY(mutex_) = false;  // until its next look, which is therefore later
  bool stopping_ GUARDED_BY(mutex_) = false;
  bool start_failed_ GUARDED_BY(mutex_) = false;
};

}  // namespace workpool
