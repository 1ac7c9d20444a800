// A mutex that clang's -Wthread-safety can follow: every shared field says GUARDED_BY(mutex_),
// every function that needs the lock says REQUIRES(mutex_). On other compilers the annotations
// vanish.
//
// Rules of this project: one mutex a class, never two held at once, and no callback, I/O or join
// under it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/cpu_pause.h"

#if defined(__clang__)
#define WORKPOOL_TSA(x) __attribute__((x))
#else
#define WORKPOOL_TSA(x)
#endif

// Abseil's headers define these three in the same sense.
#undef GUARDED_BY
#undef PT_GUARDED_BY
#undef NO_THREAD_SAFETY_ANALYSIS

#define CAPABILITY(x) WORKPOOL_TSA(capability(x))
#define SCOPED_CAPABILITY WORKPOOL_TSA(scoped_lockable)
#define GUARDED_BY(x) WORKPOOL_TSA(guarded_by(x))
#define PT_GUARDED_BY(x) WORKPOOL_TSA(pt_guarded_by(x))
#define REQUIRES(...) WORKPOOL_TSA(requires_capability(__VA_ARGS__))
#define ACQUIRE(...) WORKPOOL_TSA(acquire_capability(__VA_ARGS__))
#define RELEASE(...) WORKPOOL_TSA(release_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) WORKPOOL_TSA(try_acquire_capability(__VA_ARGS__))
#define EXCLUDES(...) WORKPOOL_TSA(locks_excluded(__VA_ARGS__))
#define NO_THREAD_SAFETY_ANALYSIS WORKPOOL_TSA(no_thread_safety_analysis)

namespace workpool {

class CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ACQUIRE() { mutex_.lock(); }
  // As Lock, for a mutex that others mostly hold for some microseconds: tries about so long before
  // it sleeps, for to sleep and be woken takes longer.
  void LockSoon() ACQUIRE() {
    for (int i = 0; i < kTries; ++i) {
      if (mutex_.try_lock()) return;
      for (int pause = 0; pause < kPauses; ++pause) CpuPause();
    }
    mutex_.lock();
  }
  void Unlock() RELEASE() { mutex_.unlock(); }

 private:
  friend class CondVar;
  static constexpr int kTries = 32;
  static constexpr int kPauses = 8;
  std::mutex mutex_;
};

// Holds a Mutex while in scope; may be released early and taken again.
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~MutexLock() RELEASE() {
    if (held_) mutex_.Unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void Unlock() RELEASE() {
    held_ = false;
    mutex_.Unlock();
  }
  void Lock() ACQUIRE() {
    mutex_.Lock();
    held_ = true;
  }

 private:
  Mutex& mutex_;
  bool held_ = true;
};

// Waits may wake without a reason: loop on the condition. Uses the monotonic clock.
class CondVar {
 public:
  void Wait(Mutex& mutex) REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    cv_.wait(lock);
    lock.release();
  }
  // False when `deadline` has passed.
  bool WaitUntil(Mutex& mutex, std::chrono::steady_clock::time_point deadline) REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    const bool in_time = cv_.wait_until(lock, deadline) == std::cv_status::no_timeout;
    lock.release();
    return in_time;
  }
  void NotifyOne() { cv_.notify_one(); }
  void NotifyAll() { cv_.notify_all(); }

 private:
  std::condition_variable cv_;
};

}  // namespace workpool
