// A hand-off: capacity 0, a post returns when a worker has taken the job. Beside it the least that
// two threads can do with a mutex and condition variables.
#include <fmt/format.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench.h"
#include "chain.h"
#include "meter.h"
#include "pool/work_pool.h"
#include "turns.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "pool-handoff";

// A slot that holds a job from when it is given until it is taken.
class Rendezvous {
 public:
  void Give(std::int64_t job) {
    std::unique_lock lock(mutex_);
    slot_ = job;
    given_.notify_one();
    taken_.wait(lock, [&] { return !slot_; });
  }

  // Nothing once it is closed.
  std::optional<std::int64_t> Take() {
    std::unique_lock lock(mutex_);
    given_.wait(lock, [&] { return slot_ || closed_; });
    const auto job = std::exchange(slot_, std::nullopt);
    if (job) taken_.notify_one();
    return job;
  }

  void Close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    given_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable given_, taken_;
  std::optional<std::int64_t> slot_;
  bool closed_ = false;
};

using Do = std::function<void()>;

void HandOffToPool(std::uint32_t workers, std::int64_t jobs, const Do& job) {
  WorkPool pool({.workers = workers, .capacity = 0});
  for (std::int64_t i = 0; i < jobs; ++i) (void)pool.Post([&job](Worker&) { job(); });
}

void HandOffBarely(std::uint32_t workers, std::int64_t jobs, const Do& job) {
  Rendezvous rendezvous;
  std::vector<std::jthread> threads;
  for (std::uint32_t i = 0; i < workers; ++i) {
    threads.emplace_back([&] {
      while (rendezvous.Take()) job();
    });
  }
  for (std::int64_t i = 0; i < jobs; ++i) rendezvous.Give(i);
  rendezvous.Close();
}

}  // namespace

Values HandoffOnce(const Arguments& arguments) {
  const std::int64_t jobs = arguments.Number("jobs");
  const auto workers = static_cast<std::uint32_t>(arguments.Number("n"));
  const std::int64_t steps = arguments.Number("steps");
  std::atomic<std::int64_t> done{0};
  const Do job = [&] {
    RunChain(steps);
    done.fetch_add(1, std::memory_order_relaxed);
  };
  const Meter meter;
  if (arguments.Text("subject") == "workpool") {
    HandOffToPool(workers, jobs, job);
  } else {
    HandOffBarely(workers, jobs, job);
  }
  const double value = meter.nanoseconds_each(jobs);
  if (done != jobs) throw std::runtime_error("jobs were lost");
  return {{"value", value}, {"cpu_ns", meter.cpu_seconds() * 1e9 / static_cast<double>(jobs)}};
}

void PoolHandoff(const Options& options, Report& report) {
  const std::int64_t steps = ChainStepsAMicrosecond();
  const std::int64_t jobs = std::max<std::int64_t>(options.jobs / 10, 1);
  for (const std::int64_t n : {1, 2, 10}) {
    for (const std::int64_t microseconds : {0, 10}) {
      if (!options.Wants(n)) continue;
      const auto arguments = fmt::format("n={} jobs={} steps={}", n, jobs, steps * microseconds);
      std::vector<Subject> subjects = {
          OwnSubject(options, kBench, "workpool", arguments),
          OwnSubject(options, kBench, "condition-variable", arguments)};
      AddGoSubject(subjects, options, kBench, "go-channel-workers", arguments);
      report.Add(TakeTurns(
          options, {kBench, {{"n", n}, {"job_us", microseconds}}, "ns/job", "condition-variable"},
          subjects));
    }
  }
}

}  // namespace workpool::bench
