// ThreadPool: while tasks are short one thread does them, and another looks whether they still are.
#include <algorithm>
#include <chrono>

#include "pool/thread_pool_thread.h"

namespace workpool {
namespace {

// Tasks that take less on average are done sooner by a busy thread than by one that is woken to
// help, which would fight with it over the locks.
constexpr std::chrono::microseconds kShortTask{3};
constexpr std::chrono::microseconds kShortBriefTask{10};
// How often a thread looks whether its own tasks are so short that another could do them too.
constexpr std::uint64_t kLookEvery = 1024;

}  // namespace

// What brief tasks take is processor time alone: a thread that gets no processor is not helped by a
// second one that would need one too.
bool ThreadPool::Thread::ShortSince(const Mark& then) const {
  const Mark now = MarkNow();
  const std::chrono::nanoseconds spent = brief ? now.cpu - then.cpu : now.at - then.at;
  const std::uint64_t tasks = std::max<std::uint64_t>(now.done - then.done, 1);
  return spent < (brief ? kShortBriefTask : kShortTask) * static_cast<std::int64_t>(tasks);
}

// A thread that was woken to help, or is one of several, lets another do the tasks as long as they
// are short.
bool ThreadPool::MayWatch(Thread& me) {
  if (watcher_ != nullptr || recent_ == nullptr || recent_ == &me || Busy() < 2) return false;
  if (me.woken) return recent_->brief;
  if (me.done - me.looked.done < kLookEvery) return false;
  const bool own_are_short = me.ShortSince(me.looked);
  me.looked = me.MarkNow();
  return own_are_short;
}

// Ends when tasks are not short any more, or nothing is left to do.
void ThreadPool::Watch(Thread& me) {
  StopSearching(me);
  watcher_ = &me;
  tell_by_ = std::nullopt;  // it may have been this thread that was to tell
  SteadyTime moved_at = SystemPlatform::Now();
  for (bool watching = true; watching;) {
    const Thread& busy = recent_ == nullptr ? me : *recent_;
    const Thread::Mark before = busy.MarkNow();
    const SteadyTime until = before.at + (busy.brief ? kWatchBrief : kWatch);
    watches_brief_ = busy.brief;
    me.called.store(0, std::memory_order_relaxed);
    Leave();
    SystemPlatform::Wait(me.called, 0, until);
    mutex_.Lock();
    const bool moved = busy.done != before.done;
    if (moved) moved_at = SystemPlatform::Now();
    watching = !stopping_ && Busy() > 0 &&
               (admission_.HasReady()
                    ? busy.ShortSince(before) && SystemPlatform::Now() - moved_at < kPatience
                    : moved);
  }
  watcher_ = nullptr;
  watches_brief_ = false;
  me.searching = searching_ = true;
}

void ThreadPool::CallWatcher() {
  if (watcher_ == nullptr) return;
  watches_brief_ = false;
  watcher_->called.store(1, std::memory_order_release);
  SystemPlatform::WakeOne(&watcher_->called);
}

}  // namespace workpool
