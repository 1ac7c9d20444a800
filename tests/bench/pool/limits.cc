// System D, (1) to (4): at most n at a time, by limits instead of workers.
//   take=inside  every job is accepted at once and waits in the pool: (1) a group of tasks of which
//   n
//                may be active, (3) tasks that weigh one or two of the pool's n places
//   take=before  the poster waits until its job has its places: capacity 0, (2) plain, (4) weighing
#include <fmt/format.h>

#include <algorithm>
#include <semaphore>
#include <stdexcept>

#include "bench.h"
#include "body.h"
#include "meter.h"
#include "pool/limit_group.h"
#include "pool/thread_pool.h"
#include "turns.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "pool-limits";
constexpr std::int64_t kMostThreads = 1000;

// Deletes itself when it has run.
class Job final : public Task {
 public:
  Job(Body& body, std::size_t number, std::binary_semaphore& accepted)
      : body_(body), number_(number), accepted_(accepted) {}

  RunStatus Run(Place) noexcept override {
    body_.Do(number_);
    delete this;
    return RunStatus::kFinished;
  }
  void WaitAccepted() noexcept override { accepted_.release(); }

 private:
  Body& body_;
  const std::size_t number_;
  std::binary_semaphore& accepted_;
};

struct Way {
  bool inside = false;
  bool weighted = false;
};

// Answers how many threads were started.
std::uint64_t RunJobs(std::int64_t n, Way way, Body& body) {
  const bool grouped = way.inside && !way.weighted;
  LimitGroup group;
  ThreadPool pool("limits", {.workers = static_cast<std::uint32_t>(grouped ? 2 * n : n),
                             .capacity = way.inside ? body.jobs() : 0});
  ThreadBounds bounds;
  bounds.max = static_cast<std::uint32_t>(std::min(n, kMostThreads));
  pool.SetThreadBounds(bounds);
  if (grouped) pool.Limit(group, static_cast<std::uint64_t>(n));
  std::binary_semaphore accepted(0);
  for (std::size_t number = 0; number < body.jobs(); ++number) {
    auto* job = new Job(body, number, accepted);  // deletes itself
    if (grouped) job->group = &group;
    if (way.weighted) job->weight = 1 + static_cast<std::uint32_t>(number % 2);
    if (pool.Offer(*job, WhenFull::kWait).verdict == Verdict::kWaiting) accepted.acquire();
  }
  pool.AwaitIdle(SteadyTime::max());
  return pool.threads_started();
}

}  // namespace

Values LimitsOnce(const Arguments& arguments) {
  const std::int64_t jobs = arguments.Number("jobs");
  Body body(arguments.Text("body"), jobs, 0);
  const Way way = {.inside = arguments.Text("take") == "inside",
                   .weighted = arguments.Number("weighted") != 0};
  const Meter meter;
  const auto threads = RunJobs(arguments.Number("n"), way, body);
  const double value = meter.nanoseconds_each(jobs);
  if (body.done() != body.jobs()) throw std::runtime_error("jobs were lost");
  return {{"value", value}, {"threads", static_cast<double>(threads)}};
}

void PoolLimits(const Options& options, Report& report) {
  for (const std::int64_t n : {10, 100, 1000, 10'000, 100'000, 1'000'000}) {
    for (const std::int64_t weighted : {0, 1}) {
      for (const char* take : {"inside", "before"}) {
        if (!options.Wants(n)) continue;
        const auto arguments = fmt::format("n={} jobs={} body=fib weighted={} take={}", n,
                                           options.jobs, weighted, take);
        std::vector<Subject> subjects = {OwnSubject(options, kBench, "workpool", arguments)};
        const std::string go = std::string(take) == "inside" ? "go-goroutines" : "go-semaphore";
        AddGoSubject(subjects, options, kBench, go, arguments);
        report.Add(TakeTurns(
            options, {kBench, {{"n", n}, {"take", take}, {"weighted", weighted}}, "ns/job", go},
            subjects));
      }
    }
  }
}

}  // namespace workpool::bench
