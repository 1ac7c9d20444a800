// What a job allocates: this program counts every call of operator new, on every thread.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "pool/function_pool.h"
#include "pool/work_pool.h"
#include "unit/pool/gate.h"

namespace {

std::atomic<std::uint64_t> allocations = 0;

void* Allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace workpool {
namespace {

constexpr int kJobs = 1000;

// How often `post` allocates for a job, once the pool has its threads and its queue their size.
template <typename Pool, typename Post>
std::uint64_t AllocationsForJobs(Pool& pool, const Post& post) {
  pool.Resize(8, 2 * kJobs);
  std::uint64_t counted = 0;
  for (int round = 0; round < 2; ++round) {
    pool.Pause();
    const std::uint64_t before = allocations;
    for (int job = 0; job < kJobs; ++job) EXPECT_TRUE(post(job));
    pool.Resume();
    const std::uint64_t finished =
        static_cast<std::uint64_t>(kJobs) * (static_cast<std::uint64_t>(round) + 1);
    while (pool.Read().finished < finished) std::this_thread::yield();
    counted = allocations - before;
  }
  return counted;
}

// The threads that the pool starts meanwhile are few, and their slots no matter of a job.
constexpr std::uint64_t kOfThreads = 8 * 4;

TEST(AllocationTest, AFunctionPoolAllocatesNothingForAJob) {
  std::atomic<std::int64_t> sum = 0;
  FunctionPool<std::array<std::int64_t, 8>> pool(
      {.workers = 8}, [&](const std::array<std::int64_t, 8>& value, Worker&) { sum += value[7]; });
  const std::uint64_t counted = AllocationsForJobs(
      pool, [&](int job) { return pool.TryInvoke({0, 0, 0, 0, 0, 0, 0, job}).has_value(); });
  EXPECT_LE(counted, kOfThreads);
  EXPECT_EQ(sum, 2 * (kJobs - 1) * kJobs / 2);
}

TEST(AllocationTest, AClosureThatFitsInlineAllocatesNothing) {
  std::atomic<std::int64_t> sum = 0;
  WorkPool pool({.workers = 8});
  const std::uint64_t counted = AllocationsForJobs(pool, [&](int job) {
    return pool.TryPost([&sum, job](Worker&) { sum += job; }).has_value();
  });
  EXPECT_LE(counted, kOfThreads);
}

TEST(AllocationTest, AClosureThatDoesNotFitInlineAllocatesOnce) {
  std::atomic<std::int64_t> sum = 0;
  WorkPool pool({.workers = 8});
  const std::uint64_t counted = AllocationsForJobs(pool, [&](int job) {
    const std::array<std::int64_t, 8> large = {job};
    return pool.TryPost([&sum, large](Worker&) { sum += large[0]; }).has_value();
  });
  EXPECT_LE(counted, kJobs + kOfThreads);
}

TEST(AllocationTest, ANamedPosterCostsOneMore) {
  WorkPool pool({.workers = 8});
  const std::uint64_t counted = AllocationsForJobs(
      pool, [&](int) { return pool.TryPost([](Worker&) {}, {.caller = "short"}).has_value(); });
  EXPECT_LE(counted, kJobs + kOfThreads);
}

}  // namespace
}  // namespace workpool
