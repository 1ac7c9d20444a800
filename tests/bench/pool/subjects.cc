#include "subjects.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <asio.hpp>
#include <semaphore>
#include <stdexcept>
#include <thread_pool/thread_pool.hpp>

#include "pool/work_pool.h"
#include "process_status.h"

namespace workpool::bench {
namespace {

// From here on n is places in the queue, not threads.
constexpr std::int64_t kMostThreads = 1000;

unsigned ThreadsFor(std::int64_t n) { return static_cast<unsigned>(std::min(n, kMostThreads)); }

std::int64_t Threads() { return StatusOf("self", "Threads"); }

// The other pools' queues have no bound: this gives them the same one.
class Bound {
 public:
  explicit Bound(std::int64_t n) : room_(static_cast<std::ptrdiff_t>(10 * n + ThreadsFor(n))) {}
  void Enter() { room_.acquire(); }
  void Leave() { room_.release(); }

 private:
  std::counting_semaphore<> room_;
};

class WorkpoolSubject final : public PoolSubject {
 public:
  std::int64_t Run(std::int64_t n, Body& body) override {
    WorkPoolOptions options = {.workers = static_cast<std::uint32_t>(n),
                               .capacity = static_cast<std::uint64_t>(10 * n)};
    if (n > kMostThreads) options.threads.max = ThreadsFor(n);
    WorkPool pool(std::move(options));
    for (std::size_t job = 0; job < body.jobs(); ++job) {
      (void)pool.Post([&body, job](Worker&) { body.Do(job); });
    }
    return Threads();
  }
};

class AsioSubject final : public PoolSubject {
 public:
  explicit AsioSubject(bool bounded) : bounded_(bounded) {}

  std::int64_t Run(std::int64_t n, Body& body) override {
    return bounded_ ? RunBounded(n, body) : RunAsItIs(n, body);
  }

 private:
  static std::int64_t RunBounded(std::int64_t n, Body& body) {
    Bound bound(n);
    asio::thread_pool pool(ThreadsFor(n));
    for (std::size_t job = 0; job < body.jobs(); ++job) {
      bound.Enter();
      asio::post(pool, [&, job] {
        body.Do(job);
        bound.Leave();
      });
    }
    const auto threads = Threads();
    pool.join();
    return threads;
  }

  static std::int64_t RunAsItIs(std::int64_t n, Body& body) {
    asio::thread_pool pool(ThreadsFor(n));
    for (std::size_t job = 0; job < body.jobs(); ++job) {
      asio::post(pool, [&body, job] { body.Do(job); });
    }
    const auto threads = Threads();
    pool.join();
    return threads;
  }

  const bool bounded_;
};

class OneTbbSubject final : public PoolSubject {
 public:
  std::int64_t Run(std::int64_t n, Body& body) override {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                      ThreadsFor(n) + 1);
    Bound bound(n);
    tbb::task_arena arena(static_cast<int>(ThreadsFor(n)), 0);
    tbb::task_group group;
    for (std::size_t job = 0; job < body.jobs(); ++job) {
      bound.Enter();
      arena.enqueue(group.defer([&, job] {
        body.Do(job);
        bound.Leave();
      }));
    }
    const auto threads = Threads();
    arena.execute([&] { group.wait(); });
    return threads;
  }
};

// What Debian 12 packages as libthread-pool-dev.
class RvaserSubject final : public PoolSubject {
 public:
  std::int64_t Run(std::int64_t n, Body& body) override {
    Bound bound(n);
    thread_pool::ThreadPool pool(ThreadsFor(n));
    for (std::size_t job = 0; job < body.jobs(); ++job) {
      bound.Enter();
      pool.Submit([&, job] {
        body.Do(job);
        bound.Leave();
      });
    }
    return Threads();
  }
};

}  // namespace

std::unique_ptr<PoolSubject> MakePoolSubject(const std::string& name) {
  if (name == "workpool") return std::make_unique<WorkpoolSubject>();
  if (name == "asio-thread-pool") return std::make_unique<AsioSubject>(false);
  if (name == "asio-bounded") return std::make_unique<AsioSubject>(true);
  if (name == "onetbb") return std::make_unique<OneTbbSubject>();
  if (name == "rvaser-thread-pool") return std::make_unique<RvaserSubject>();
  throw std::invalid_argument("no such pool: " + name);
}

}  // namespace workpool::bench
