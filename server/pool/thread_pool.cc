#include "pool/thread_pool.h"

#include <algorithm>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/log.h"

namespace workpool {
namespace {

thread_local const ThreadPool* t_own_pool = nullptr;

// Threads inside brief tasks are soon back, unless others have their core: then one more would not
// help. Two more than cores, for those that the system holds up.
std::uint64_t MostInBriefTasks() {
  static const std::uint64_t most = std::max(std::thread::hardware_concurrency(), 1U) + 2;
  return most;
}

}  // namespace

struct ThreadPool::Thread : CrewMember<SystemPlatform> {
  ThreadPool* pool = nullptr;
  // Guarded by the pool's mutex:
  bool searching = false;  // it holds `searching_`
  bool in_task = false;
  bool in_brief_task = false;
};

ThreadPool::ThreadPool(std::string name, const PoolLimits& limits)
    : TaskPool(limits), name_(std::move(name)) {
  Thread* first = nullptr;
  {
    const MutexLock lock(mutex_);
    first = &Hire();
  }
  Start(*first);
  const MutexLock lock(mutex_);
  if (crew_.started() == 0) {
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
  std::optional<SystemPlatform::Thread> last;
  {
    const MutexLock lock(mutex_);
    last = crew_.TakeEnded();
  }
  if (last) SystemPlatform::Join(*last);
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
  while (Thread* thread = crew_.PopIdle()) SystemPlatform::WakeOne(&thread->called);
  while (crew_.alive() > 0 || outside_ > 0) {
    if (!WaitQuiet(deadline)) return false;
  }
  return true;
}

void ThreadPool::SetThreadBounds(const ThreadBounds& bounds) {
  mutex_.Lock();
  PutBounds(bounds);
}

void ThreadPool::KeepThreads(std::uint32_t min, std::chrono::nanoseconds idle) {
  mutex_.Lock();
  ThreadBounds bounds = crew_.bounds();
  bounds.min = min;
  bounds.idle = idle;
  PutBounds(bounds);
}

void ThreadPool::PutBounds(const ThreadBounds& bounds) {
  crew_.SetBounds(bounds);
  crew_.CallIdle([](Thread& thread) { SystemPlatform::WakeOne(&thread.called); });
  Leave();
}

bool ThreadPool::OnOwnThread() const { return t_own_pool == this; }

std::uint64_t ThreadPool::threads_started() const {
  const MutexLock lock(mutex_);
  return crew_.started();
}

std::uint64_t ThreadPool::threads() const {
  const MutexLock lock(mutex_);
  return crew_.alive();
}

// --- waking ---------------------------------------------------------------------------------

void ThreadPool::UnlockAndWake() {
  const Choice choice = ChooseThread();
  if (choice.thread == nullptr) {
    mutex_.Unlock();
    return;
  }
  if (!choice.start) {
    mutex_.Unlock();
    SystemPlatform::WakeOne(&choice.thread->called);
    return;
  }
  GoOutside();
  mutex_.Unlock();
  Start(*choice.thread);
  const MutexLock lock(mutex_);
  ComeBack();
}

// Who is to look for the ready tasks, unless somebody does already: the thread that slept last, or
// a new one if all are inside tasks (otherwise one is on its way back and will look) and not too
// many of them in brief ones. After a shrink more tasks may be active than there are workers.
ThreadPool::Choice ThreadPool::ChooseThread() {
  if (searching_) return {};
  if (Thread* thread = ChooseIdle()) return {thread};
  const std::uint64_t most = MostThreads(admission_.active());
  if (!admission_.HasReady() || in_tasks_ < crew_.alive() || crew_.alive() >= most) return {};
  if (in_brief_tasks_ >= MostInBriefTasks()) return {};
  return {.thread = &Hire(), .start = true};
}

// Without ready tasks: one of too many idle threads, to end itself.
ThreadPool::Thread* ThreadPool::ChooseIdle() {
  if (!admission_.HasReady() && !Surplus()) return nullptr;
  Thread* thread = crew_.PopIdle();
  if (thread != nullptr) thread->searching = searching_ = true;
  return thread;
}

std::uint64_t ThreadPool::MostThreads(std::uint64_t places) const {
  const std::uint64_t workers = admission_.limits().workers;
  return std::min<std::uint64_t>(std::max(workers, places), crew_.bounds().max);
}

bool ThreadPool::Surplus() const { return crew_.alive() > MostThreads(0); }

ThreadPool::Thread& ThreadPool::Hire() {
  Thread& thread = crew_.Hire();
  thread.pool = this;
  thread.searching = searching_ = true;
  return thread;
}

void ThreadPool::Start(Thread& thread) {
  constexpr std::chrono::milliseconds kLongest{100};
  for (std::chrono::milliseconds pause{1};; pause = std::min(pause * 2, kLongest)) {
    const int error = SystemPlatform::Start(Main, &thread);
    if (error == 0 || !StartFailed(thread, error)) return;
    SystemPlatform::Sleep(pause);
  }
}

// True: there is no other thread to do the work that is there, so it has to be tried again. Else a
// thread that has gone to sleep since relied on this one to look, and has to do so instead.
bool ThreadPool::StartFailed(Thread& thread, int error) {
  mutex_.Lock();
  const bool first_failure = !std::exchange(start_failed_, true);
  const bool again = crew_.alive() == 1 && admission_.HasReady();
  Thread* instead = nullptr;
  if (!again) {
    thread.searching = searching_ = false;
    crew_.NotStarted(thread);
    instead = ChooseIdle();
  }
  mutex_.Unlock();
  if (instead != nullptr) SystemPlatform::WakeOne(&instead->called);
  if (first_failure) {
    Log(LogLevel::kWarn, "cannot start a worker thread; the running ones go on",
        {{"pool", std::string_view(name_)}, {"error", std::string_view(std::strerror(error))}});
  }
  return again;
}

// --- a worker's thread ----------------------------------------------------------------------

void* ThreadPool::Main(void* thread) {
  auto& me = *static_cast<Thread*>(thread);
  t_own_pool = me.pool;
  me.pool->Work(me);
  return nullptr;
}

void ThreadPool::Work(Thread& me) {
  SystemPlatform::NameThread(name_);
  mutex_.Lock();
  start_failed_ = false;
  const std::size_t touch_stack = crew_.bounds().touch_stack;
  mutex_.Unlock();
  if (touch_stack > 0) SystemPlatform::TouchStack(touch_stack);
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
  if (std::exchange(me.in_brief_task, false)) --in_brief_tasks_;
  if (finished != nullptr) admission_.Finish(*finished);
  for (;;) {
    const Admission::Started next = TakeOrTell(me);
    if (next.task != nullptr) {
      me.in_task = true;
      me.in_brief_task = next.task->brief;
      ++in_tasks_;
      if (me.in_brief_task) ++in_brief_tasks_;
    }
    Leave();
    if (next.task != nullptr) return next;
    mutex_.Lock();
    if (admission_.HasReady()) continue;
    if (stopping_ || Surplus() || !Sleep(me)) break;
  }
  const auto ended_before = crew_.End(me);
  Leave();
  if (ended_before) SystemPlatform::Join(*ended_before);
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

// False: it was not used for so long that it is to end.
bool ThreadPool::Sleep(Thread& me) {
  crew_.PushIdle(me);
  for (;;) {
    const SteadyTime until = crew_.SleepsUntil(me);
    mutex_.Unlock();
    SystemPlatform::Wait(me.called, 0, until);
    mutex_.Lock();
    if (!me.idle) return true;
    if (until != SteadyTime::max() && crew_.SleepsUntil(me) <= SystemPlatform::Now()) {
      crew_.RemoveIdle(me);
      return false;
    }
  }
}

}  // namespace workpool
