// One job posted right behind a blocking one on an otherwise idle pool: how long until it starts.
#include <fmt/format.h>

#include <atomic>
#include <latch>

#include "bench.h"
#include "meter.h"
#include "pool/work_pool.h"
#include "turns.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "pool-blocker";
constexpr int kRuns = 21;

}  // namespace

Values BlockerOnce(const Arguments& arguments) {
  WorkPool pool({.workers = 100, .capacity = 1000});
  for (std::int64_t i = 0; i < arguments.Number("short"); ++i) (void)pool.Post([](Worker&) {});
  (void)pool.Drain(SteadyTime::max());
  pool.Resume();
  std::latch started(1);
  double waited = 0;
  (void)pool.Post([](Worker&) { std::this_thread::sleep_for(std::chrono::milliseconds(10)); });
  const Meter meter;
  (void)pool.Post([&](Worker&) {
    waited = meter.seconds();
    started.count_down();
  });
  started.wait();
  return {{"value", waited * 1e6}};
}

void PoolBlocker(const Options& options, Report& report) {
  Options many = options;
  many.runs = options.jobs < 100'000 ? options.runs : kRuns;
  for (const std::int64_t before : {std::int64_t{0}, std::min<std::int64_t>(options.jobs, 5000)}) {
    report.Add(TakeTurns(
        many, {kBench, {{"n", std::int64_t{100}}, {"short_jobs_before", before}}, "us", ""},
        {OwnSubject(options, kBench, "workpool", fmt::format("short={}", before))}));
  }
}

}  // namespace workpool::bench
