#include "pool/thread_pool.h"

#include <pthread.h>

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/log.h"

namespace workpool {
namespace {

thread_local const ThreadPool* t_own_pool = nullptr;

}  // namespace

// A slot for a thread. Never freed before the pool, so that waking one that has just ended is
// harmless.
struct ThreadPool::Thread {
  CondVar wake;
  // Guarded by the pool's mutex:
  bool woken = false;
  bool searching = false;  // it holds `searching_`
  bool in_task = false;
  bool running = false;   // its thread has not ended
  bool starting = false;  // somebody is in Start with it

  std::thread handle;  // belongs to who starts it, else to who takes the vacant slot, or Join
};

ThreadPool::ThreadPool(std::string name, const PoolLimits& limits)
    : TaskPool(limits), name_(std::move(name)) {
  Thread* first = nullptr;
  {
    const MutexLock lock(mutex_);
    first = &TakeSlot();
  }
  Start(*first);
  const MutexLock lock(mutex_);
  if (alive_ == 0) {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                            "the first thread of pool " + name_);
  }
}

ThreadPool::~ThreadPool() {
  Close(false);
  Join(SteadyTime::max());
}

bool ThreadPool::Join(SteadyTime deadline) {
  WORKPOOL_CHECK(!OnOwnThread());
  if (!AwaitThreads(deadline)) return false;
  std::vector<Thread*> ended;
  {
    const MutexLock lock(mutex_);
    for (const auto& thread : threads_) ended.push_back(thread.get());
  }
  for (Thread* thread : ended) {
    if (thread->handle.joinable()) thread->handle.join();
  }
  return true;
}

// First everything that was started is to be handed back, then the threads are told to end.
bool ThreadPool::AwaitThreads(SteadyTime deadline) {
  const MutexLock lock(mutex_);
  WORKPOOL_CHECK(admission_.closed());
  while (!admission_.Idle() || outside_ > 0) {
    if (!WaitQuiet(deadline)) return false;
  }
  stopping_ = true;
  for (Thread* thread : std::exchange(idle_, {})) {
    thread->woken = true;
    thread->wake.NotifyOne();
  }
  while (alive_ > 0 || outside_ > 0) {
    if (!WaitQuiet(deadline)) return false;
  }
  return true;
}

bool ThreadPool::OnOwnThread() const { return t_own_pool == this; }

std::uint64_t ThreadPool::threads_started() const {
  const MutexLock lock(mutex_);
  return started_;
}

std::uint64_t ThreadPool::threads() const {
  const MutexLock lock(mutex_);
  return alive_;
}

// --- waking ---------------------------------------------------------------------------------

void ThreadPool::UnlockAndWake() {
  const Choice choice = ChooseThread();
  if (choice.thread == nullptr) {
    mutex_.Unlock();
    return;
  }
  GoOutside();
  mutex_.Unlock();
  if (choice.start) {
    Start(*choice.thread);
  } else {
    choice.thread->wake.NotifyOne();
  }
  const MutexLock lock(mutex_);
  ComeBack();
}

// Who is to look for the ready tasks, unless somebody does already: the thread that slept last, or
// a new one if all are inside tasks (otherwise one is on its way back and will look). After a
// shrink more tasks may be active than there are workers.
ThreadPool::Choice ThreadPool::ChooseThread() {
  if (searching_) return {};
  if (Thread* thread = ChooseIdle()) return {thread};
  const std::uint64_t most =
      std::max<std::uint64_t>(admission_.limits().workers, admission_.active());
  if (!admission_.HasReady() || in_tasks_ < alive_ || alive_ >= most) return {};
  return {.thread = &TakeSlot(), .start = true};
}

// Without ready tasks: one of too many idle threads, to end itself.
ThreadPool::Thread* ThreadPool::ChooseIdle() {
  const bool surplus = alive_ > admission_.limits().workers;
  if (idle_.empty() || !(admission_.HasReady() || surplus)) return nullptr;
  Thread* thread = idle_.back();
  idle_.pop_back();
  thread->woken = thread->searching = searching_ = true;
  return thread;
}

ThreadPool::Thread& ThreadPool::TakeSlot() {
  if (vacant_.empty()) {
    threads_.push_back(std::make_unique<Thread>());
    vacant_.push_back(threads_.back().get());
  }
  Thread& thread = *vacant_.back();
  vacant_.pop_back();
  thread.running = thread.starting = thread.searching = searching_ = true;
  ++alive_;
  return thread;
}

void ThreadPool::Start(Thread& thread) {
  if (thread.handle.joinable()) thread.handle.join();  // one that has ended
  try {
    thread.handle = std::thread([this, &thread] { Main(thread); });
  } catch (const std::system_error& error) {
    StartFailed(thread, error.what());
    return;
  }
  const MutexLock lock(mutex_);
  ++started_;
  start_failed_ = false;
  thread.starting = false;
  if (!thread.running) vacant_.push_back(&thread);
}

// A thread that has gone to sleep since relied on this one to look, and has to do so instead.
void ThreadPool::StartFailed(Thread& thread, const char* reason) {
  mutex_.Lock();
  const bool first_failure = !std::exchange(start_failed_, true);
  thread.starting = thread.running = thread.searching = searching_ = false;
  --alive_;
  vacant_.push_back(&thread);
  Thread* instead = ChooseIdle();
  mutex_.Unlock();
  if (instead != nullptr) instead->wake.NotifyOne();
  if (first_failure) {
    Log(LogLevel::kWarn, "cannot start a worker thread; the running ones go on",
        {{"pool", std::string_view(name_)}, {"error", std::string_view(reason)}});
  }
}

// --- a worker's thread ----------------------------------------------------------------------

void ThreadPool::Main(Thread& me) {
  t_own_pool = this;
  pthread_setname_np(pthread_self(), name_.substr(0, 15).c_str());
  const Place* finished = nullptr;
  Place place;
  for (;;) {
    const Admission::Started next = NextTask(me, finished);
    if (next.task == nullptr) return;
    place = next.place;
    finished = next.task->Run(place) == RunStatus::kFinished ? &place : nullptr;
  }
}

// Hands back the place of the task before and takes the next in one round of the lock; sleeps while
// there is none. A task of nullptr: the thread is to end.
Admission::Started ThreadPool::NextTask(Thread& me, const Place* finished) {
  mutex_.Lock();
  if (std::exchange(me.in_task, false)) --in_tasks_;
  if (finished != nullptr) admission_.Finish(*finished);
  for (;;) {
    const Admission::Started next = TakeOrTell(me);
    if (next.task != nullptr) {
      me.in_task = true;
      ++in_tasks_;
    }
    Leave();
    if (next.task != nullptr) return next;
    mutex_.Lock();
    if (admission_.HasReady()) continue;
    if (stopping_ || alive_ > admission_.limits().workers) break;
    Sleep(me);
  }
  End(me);
  Leave();
  return {};
}

// Takes a task before it tells those who got its predecessor's place, so that no other thread is
// woken for it; if none was ready, one just told may be.
Admission::Started ThreadPool::TakeOrTell(Thread& me) {
  if (std::exchange(me.searching, false)) searching_ = false;
  Admission::Started next = admission_.TakeReady();
  while (admission_.HasNotice()) {
    DeliverNotice();
    if (next.task == nullptr) next = admission_.TakeReady();
  }
  return next;
}

void ThreadPool::Sleep(Thread& me) {
  idle_.push_back(&me);
  while (!me.woken) me.wake.Wait(mutex_);
  me.woken = false;
}

void ThreadPool::End(Thread& me) {
  --alive_;
  me.running = false;
  if (!me.starting) vacant_.push_back(&me);
}

}  // namespace workpool
