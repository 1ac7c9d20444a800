// System E: jobs that each sleep 10 ms, one poster, many workers. A worker that sleeps need hold no
// thread: the job is put into a timer wheel and its worker is freed when it fires.
#include <fmt/format.h>

#include <atomic>
#include <coroutine>
#include <stdexcept>

#include "bench.h"
#include "meter.h"
#include "pool/function_pool.h"
#include "pool/work_pool.h"
#include "turns.h"
#include "wheel.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "pool-sleepers";
constexpr std::chrono::milliseconds kNap{10};
constexpr std::uint32_t kThreads = 2;    // where jobs hold none
constexpr std::uint64_t kPlaces = 1000;  // in the queue: what waits beside those that sleep

// By callback: what fires is the worker's completion itself.
struct Wake {
  Completion completion;
  std::atomic<std::int64_t>* done;
  void operator()() {
    done->fetch_add(1, std::memory_order_relaxed);
    completion.Complete();
  }
};

void PostCallbacks(std::int64_t jobs, WorkPoolOptions options, std::atomic<std::int64_t>& done) {
  Wheel<Wake> wheel(kNap);
  WorkPool pool(std::move(options));
  for (std::int64_t job = 0; job < jobs; ++job) {
    (void)pool.Post([&](Worker& worker) { wheel.Add({worker.Defer(), &done}); });
  }
}

// A coroutine a job, which ends by itself.
struct Sleeper {
  struct promise_type {
    Sleeper get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

using CoroutineWheel = Wheel<std::coroutine_handle<>>;

struct Nap {
  CoroutineWheel& wheel;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) { wheel.Add(handle); }
  void await_resume() const noexcept {}
};

Sleeper Sleep(CoroutineWheel& wheel, Completion completion, std::atomic<std::int64_t>& done) {
  co_await Nap{wheel};
  done.fetch_add(1, std::memory_order_relaxed);
  completion.Complete();
}

void PostCoroutines(std::int64_t jobs, WorkPoolOptions options, std::atomic<std::int64_t>& done) {
  CoroutineWheel wheel(kNap);
  WorkPool pool(std::move(options));
  for (std::int64_t job = 0; job < jobs; ++job) {
    (void)pool.Post([&](Worker& worker) { Sleep(wheel, worker.Defer(), done); });
  }
}

// By callback, in a pool whose function is given once.
void InvokeCallbacks(std::int64_t jobs, WorkPoolOptions options, std::atomic<std::int64_t>& done) {
  Wheel<Wake> wheel(kNap);
  FunctionPool<std::atomic<std::int64_t>*> pool(
      std::move(options), [&wheel](std::atomic<std::int64_t>* count, Worker& worker) {
        wheel.Add({worker.Defer(), count});
      });
  for (std::int64_t job = 0; job < jobs; ++job) (void)pool.Invoke(&done);
}

void PostBlocking(std::int64_t jobs, WorkPoolOptions options, std::atomic<std::int64_t>& done) {
  WorkPool pool(std::move(options));
  for (std::int64_t job = 0; job < jobs; ++job) {
    (void)pool.Post([&](Worker&) {
      std::this_thread::sleep_for(kNap);
      done.fetch_add(1, std::memory_order_relaxed);
    });
  }
}

void Post(const std::string& by, std::int64_t jobs, WorkPoolOptions options,
          std::atomic<std::int64_t>& done) {
  if (by == "callback") return PostCallbacks(jobs, std::move(options), done);
  if (by == "function") return InvokeCallbacks(jobs, std::move(options), done);
  if (by == "coroutine") return PostCoroutines(jobs, std::move(options), done);
  if (by == "thread") return PostBlocking(jobs, std::move(options), done);
  throw std::invalid_argument("no such way: " + by);
}

Subject Ours(const Options& options, const std::string& arguments, const std::string& by) {
  Subject subject = OwnSubject(options, kBench, "workpool", arguments + " by=" + by);
  subject.parameters = {{"by", by}};
  return subject;
}

void Contend(const Options& options, Report& report, std::int64_t n, std::int64_t jobs,
             const std::vector<std::string>& ways) {
  if (!options.Wants(n)) return;
  const auto arguments = fmt::format("n={} jobs={}", n, jobs);
  std::vector<Subject> subjects;
  for (const auto& by : ways) subjects.push_back(Ours(options, arguments, by));
  for (const char* go : {"go-goroutines", "go-semaphore", "go-channel-workers"}) {
    AddGoSubject(subjects, options, kBench, go, arguments);
  }
  report.Add(TakeTurns(options, {kBench, {{"n", n}, {"jobs", jobs}}, "s", "go-channel-workers"},
                       subjects));
}

}  // namespace

Values SleepersOnce(const Arguments& arguments) {
  const std::int64_t jobs = arguments.Number("jobs");
  WorkPoolOptions options = {.workers = static_cast<std::uint32_t>(arguments.Number("n")),
                             .capacity = kPlaces};
  if (arguments.Text("by") != "thread") options.threads.max = kThreads;
  std::atomic<std::int64_t> done{0};
  const auto idle = StatusOf("self", "VmRSS");
  const Meter meter;
  Post(arguments.Text("by"), jobs, std::move(options), done);
  const double seconds = meter.seconds();
  if (done != jobs) throw std::runtime_error("jobs were lost");
  return {{"value", seconds},
          {"peak_mib", static_cast<double>(StatusOf("self", "VmHWM") - idle) / 1024},
          {"cpu_s", meter.cpu_seconds()}};
}

void PoolSleepers(const Options& options, Report& report) {
  Contend(options, report, 50'000, options.jobs, {"callback", "function", "coroutine"});
  Contend(options, report, 500, std::max<std::int64_t>(options.jobs / 100, 1), {"thread"});
}

}  // namespace workpool::bench
