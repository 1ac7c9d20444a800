#include "base/small_mutex.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace workpool {
namespace {

static_assert(sizeof(SmallMutex) == 4);

struct Sum {
  SmallMutex mutex;
  int value GUARDED_BY(mutex) = 0;
};

TEST(SmallMutexTest, OneThreadAtATime) {
  constexpr int kThreads = 4;
  constexpr int kEach = 50'000;
  Sum sum;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&sum] {
      for (int i = 0; i < kEach; ++i) {
        SmallMutexLock lock(sum.mutex);
        ++sum.value;
        // Now and then another thread finds it held, and has to sleep.
        if (i % 1000 == 0) std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  SmallMutexLock lock(sum.mutex);
  EXPECT_EQ(sum.value, kThreads * kEach);
}

TEST(SmallMutexTest, MayBeReleasedEarly) {
  Sum sum;
  SmallMutexLock lock(sum.mutex);
  sum.value = 1;
  lock.Unlock();
  std::thread([&sum] {
    SmallMutexLock other(sum.mutex);
    EXPECT_EQ(sum.value, 1);
  }).join();
}

}  // namespace
}  // namespace workpool
