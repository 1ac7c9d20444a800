// System C: a deep call on a worker that has been deep before, beside a new thread for each. Each
// job is posted when the one before is done, so that a worker is there to be used again.
#include <fmt/format.h>

#include <semaphore>
#include <stdexcept>
#include <thread>

#include "bench.h"
#include "meter.h"
#include "pool/work_pool.h"
#include "turns.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "pool-deep";

// Touches about a kibibyte of stack a level.
[[gnu::noinline]] int Descend(std::int64_t depth) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(depth);
  if (depth == 0) return frame[0];
  const int below = Descend(depth - 1);
  return below + frame[0];
}

}  // namespace

Values DeepOnce(const Arguments& arguments) {
  const std::int64_t jobs = arguments.Number("jobs");
  const std::int64_t depth = arguments.Number("depth");
  int sum = 0;
  const Meter meter;
  if (arguments.Text("subject") == "workpool") {
    std::binary_semaphore done(0);
    WorkPool pool({.workers = 64, .capacity = 1});
    for (std::int64_t i = 0; i < jobs; ++i) {
      (void)pool.Post([&](Worker&) {
        sum += Descend(depth);
        done.release();
      });
      done.acquire();
    }
  } else {
    for (std::int64_t i = 0; i < jobs; ++i) std::jthread([&] { sum += Descend(depth); });
  }
  asm volatile("" : : "g"(sum) : "memory");
  return {{"value", meter.nanoseconds_each(jobs)}};
}

void PoolDeep(const Options& options, Report& report) {
  const std::int64_t jobs = std::max<std::int64_t>(options.jobs / 100, 1);
  for (const std::int64_t depth : {100, 1000}) {
    const auto arguments = fmt::format("jobs={} depth={}", jobs, depth);
    std::vector<Subject> subjects = {OwnSubject(options, kBench, "workpool", arguments),
                                     OwnSubject(options, kBench, "new-thread", arguments)};
    AddGoSubject(subjects, options, kBench, "go-channel-workers", arguments);
    AddGoSubject(subjects, options, kBench, "go-goroutines", arguments);
    report.Add(
        TakeTurns(options, {kBench, {{"depth_kib", depth}}, "ns/job", "new-thread"}, subjects));
  }
}

}  // namespace workpool::bench
