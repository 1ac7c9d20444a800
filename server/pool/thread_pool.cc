#include "pool/thread_pool.h"

#include <algorithm>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "pool/thread_pool_thread.h"

namespace workpool {
namespace {

thread_local const ThreadPool* t_own_pool = nullptr;

constexpr std::uint64_t kLookAtClockEvery = 8;  // posts that are to be told

// Threads inside brief tasks are soon back, unless others have their core: then one more would not
// help. Two more than cores, for those that the system holds up.
std::uint64_t MostInBriefTasks() {
  static const std::uint64_t most = std::max(std::thread::hardware_concurrency(), 1U) + 2;
  return most;
}

}  // namespace

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
  CallWatcher();
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

// Somebody will look for ready tasks. The watcher counts only beside a busy thread, so that nobody
// waits for its timer alone.
bool ThreadPool::Obliged() const { return searching_ || (watcher_ != nullptr && Busy() > 0); }

// Threads that neither sleep nor watch.
std::uint64_t ThreadPool::Busy() const {
  return crew_.alive() - crew_.idle() - (watcher_ != nullptr ? 1 : 0);
}

void ThreadPool::Search(Thread& thread) {
  thread.searching = searching_ = true;
  thread.woken = true;
}

void ThreadPool::StopSearching(Thread& thread) {
  if (std::exchange(thread.searching, false)) searching_ = false;
  thread.woken = false;
}

// Who is to look for the ready tasks, unless somebody does already: the thread that slept last, or
// a new one if all are inside tasks (otherwise one is on its way back and will look) and not too
// many of them in brief ones. After a shrink more tasks may be active than there are workers.
ThreadPool::Choice ThreadPool::ChooseThread() {
  if (Obliged()) return {};
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
  if (thread != nullptr) Search(*thread);
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
  Search(thread);
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
    StopSearching(thread);
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
  me.clock = SystemPlatform::OwnCpuClock();
  me.looked = me.MarkNow();
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
  mutex_.LockSoon();
  if (std::exchange(me.in_task, false)) --in_tasks_;
  if (std::exchange(me.in_brief_task, false)) --in_brief_tasks_;
  if (finished != nullptr) admission_.Finish(*finished);
  for (;;) {
    if (MayWatch(me)) Watch(me);
    StopSearching(me);
    const Admission::Started next = TakeOrTell(me);
    if (next.task != nullptr) {
      if (watches_brief_ && !next.task->brief) CallWatcher();  // it is to look more closely
      me.in_task = true;
      me.brief = me.in_brief_task = next.task->brief;
      ++in_tasks_;
      if (me.in_brief_task) ++in_brief_tasks_;
      ++me.done;
      recent_ = &me;
    }
    Leave();
    if (next.task != nullptr) return next;
    mutex_.Lock();
    if (admission_.HasReady()) continue;
    if (stopping_ || Surplus() || !Sleep(me)) break;
  }
  if (recent_ == &me) recent_ = nullptr;
  const auto ended_before = crew_.End(me);
  CallWatcher();
  Leave();
  if (ended_before) SystemPlatform::Join(*ended_before);
  return {};
}

// Takes a task before it tells those who got its predecessor's place, so that no other thread is
// woken for it; if none was ready, one just told may be.
Admission::Started ThreadPool::TakeOrTell(Thread& me) {
  Admission::Started next = admission_.TakeReady();
  if (MayTellLater(next)) return next;
  tell_by_ = std::nullopt;
  while (admission_.HasNotice()) {
    me.done += std::min<std::uint64_t>(admission_.notices(), kNoticesAtOnce);
    DeliverNotices();
    if (next.task == nullptr) next = admission_.TakeReady();
  }
  return next;
}

// Telling many posts at once costs little more than telling one, and a thread that runs a brief
// task is soon back to do so.
bool ThreadPool::MayTellLater(const Admission::Started& next) {
  if (next.task == nullptr || !next.task->brief) return false;
  const std::uint64_t notices = admission_.notices();
  if (notices >= kNoticesAtOnce || notices == 0) return false;
  if (tell_by_ && notices % kLookAtClockEvery != 0) return true;
  const SteadyTime now = SystemPlatform::Now();
  if (!tell_by_) tell_by_ = now + kTellWithin;
  return now < *tell_by_;
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
