#include "pool_subjects.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <asio.hpp>
#include <semaphore>
#include <thread_pool/thread_pool.hpp>

#include "pool/work_pool.h"

namespace workpool::bench {
namespace {

// The other pools' queues have no bound: this gives them the same one.
class Bound {
 public:
  explicit Bound(unsigned workers) : room_(static_cast<std::ptrdiff_t>(workers) * 11) {}
  void Enter() { room_.acquire(); }
  void Leave() { room_.release(); }

 private:
  std::counting_semaphore<> room_;
};

class WorkpoolSubject final : public PoolSubject {
 public:
  std::string name() const override { return "workpool"; }
  void Run(unsigned workers, Body& body) override {
    WorkPool pool(
        {.workers = workers, .capacity = std::uint64_t{workers} * 10, .on_exception = {}});
    for (std::size_t job = 0; job < body.jobs(); ++job) {
      (void)pool.Post([&body, job](Worker&) { body.Do(job); });
    }
  }
};

class AsioSubject final : public PoolSubject {
 public:
  std::string name() const override { return "asio-thread-pool"; }
  void Run(unsigned workers, Body& body) override {
    Bound bound(workers);
    asio::thread_pool pool(workers);
    for (std::size_t job = 0; job < body.jobs(); ++job) {
      bound.Enter();
      asio::post(pool, [&, job] {
        body.Do(job);
        bound.Leave();
      });
    }
    pool.join();
  }
};

class OneTbbSubject final : public PoolSubject {
 public:
  std::string name() const override { return "onetbb"; }
  void Run(unsigned workers, Body& body) override {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, workers + 1);
    Bound bound(workers);
    tbb::task_arena arena(static_cast<int>(workers), 0);
    tbb::task_group group;
    for (std::size_t job = 0; job < body.jobs(); ++job) {
      bound.Enter();
      arena.enqueue(group.defer([&, job] {
        body.Do(job);
        bound.Leave();
      }));
    }
    arena.execute([&] { group.wait(); });
  }
};

// What Debian 12 packages as libthread-pool-dev.
class RvaserSubject final : public PoolSubject {
 public:
  std::string name() const override { return "rvaser-thread-pool"; }
  void Run(unsigned workers, Body& body) override {
    Bound bound(workers);
    thread_pool::ThreadPool pool(workers);
    for (std::size_t job = 0; job < body.jobs(); ++job) {
      bound.Enter();
      pool.Submit([&, job] {
        body.Do(job);
        bound.Leave();
      });
    }
  }
};

}  // namespace

std::vector<std::unique_ptr<PoolSubject>> PoolSubjects() {
  std::vector<std::unique_ptr<PoolSubject>> subjects;
  subjects.push_back(std::make_unique<WorkpoolSubject>());
  subjects.push_back(std::make_unique<AsioSubject>());
  subjects.push_back(std::make_unique<OneTbbSubject>());
  subjects.push_back(std::make_unique<RvaserSubject>());
  return subjects;
}

}  // namespace workpool::bench
