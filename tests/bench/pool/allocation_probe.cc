// A program that counts calls of operator new while jobs are posted and run: for each size of
// closure one line `closure_BYTES allocations-a-job`. A program of its own, because it replaces
// operator new.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>

#include "pool/function_pool.h"
#include "pool/work_pool.h"

namespace {

std::atomic<std::uint64_t> allocations{0};

}  // namespace

void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace workpool::bench {
namespace {

constexpr std::uint64_t kWarmUp = 20'000;

template <std::size_t kBytes>
struct Closure {
  unsigned char state[kBytes];
  void operator()(Worker&) const { asm volatile("" : : "g"(state[0])); }
};

// Allocations a job of closures of kBytes, once the pool has what it keeps.
template <std::size_t kBytes>
void Count(std::uint64_t jobs) {
  WorkPool pool({.workers = 10, .capacity = 100});
  const auto post = [&](std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) (void)pool.Post(Closure<kBytes>{});
    (void)pool.Drain(SteadyTime::max());
    pool.Resume();
  };
  post(kWarmUp);
  const auto before = allocations.load();
  post(jobs);
  std::printf("closure_%zu %.6f\n", kBytes,
              static_cast<double>(allocations - before) / static_cast<double>(jobs));
}

// The same of a pool whose function is given once.
void CountInvocations(std::uint64_t jobs) {
  FunctionPool<std::uint64_t> pool({.workers = 10, .capacity = 100}, [](std::uint64_t, Worker&) {});
  const auto invoke = [&](std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) (void)pool.Invoke(i);
    (void)pool.Drain(SteadyTime::max());
    pool.Resume();
  };
  invoke(kWarmUp);
  const auto before = allocations.load();
  invoke(jobs);
  std::printf("function_pool %.6f\n",
              static_cast<double>(allocations - before) / static_cast<double>(jobs));
}

}  // namespace
}  // namespace workpool::bench

int main(int argc, char** argv) {
  const auto jobs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  if (jobs == 0) return 2;
  workpool::bench::Count<8>(jobs);
  workpool::bench::Count<16>(jobs);
  workpool::bench::Count<24>(jobs);
  workpool::bench::Count<64>(jobs);
  workpool::bench::CountInvocations(jobs);
  return 0;
}
