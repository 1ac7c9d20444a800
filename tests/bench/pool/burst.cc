// A burst: as many jobs of 10 ms as there are idle workers, with nothing before it or right after
// many short jobs, which leave few threads awake. How long until all are done.
#include <fmt/format.h>

#include <latch>

#include "bench.h"
#include "meter.h"
#include "pool/work_pool.h"
#include "turns.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "pool-burst";
constexpr std::int64_t kWorkers = 100;
constexpr int kBursts = 7;

}  // namespace

Values BurstOnce(const Arguments& arguments) {
  WorkPool pool({.workers = kWorkers, .capacity = kWorkers * 10});
  for (std::int64_t i = 0; i < arguments.Number("short"); ++i) (void)pool.Post([](Worker&) {});
  (void)pool.Drain(SteadyTime::max());
  pool.Resume();
  std::latch done(kWorkers);
  const Meter meter;
  for (std::int64_t i = 0; i < kWorkers; ++i) {
    (void)pool.Post([&](Worker&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      done.count_down();
    });
  }
  done.wait();
  return {{"value", meter.seconds() * 1e3}};
}

void PoolBurst(const Options& options, Report& report) {
  Options bursts = options;
  bursts.runs = options.jobs < 100'000 ? options.runs : kBursts;
  for (const std::int64_t before :
       {std::int64_t{0}, std::min<std::int64_t>(options.jobs, 200'000)}) {
    report.Add(
        TakeTurns(bursts, {kBench, {{"n", kWorkers}, {"short_jobs_before", before}}, "ms", ""},
                  {OwnSubject(options, kBench, "workpool", fmt::format("short={}", before))}));
  }
}

}  // namespace workpool::bench
