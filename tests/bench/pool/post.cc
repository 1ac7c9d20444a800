// What it takes to post an empty job, from one thread and from two, to a pool that always has room;
// and until all have run.
#include <fmt/format.h>

#include <asio.hpp>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench.h"
#include "meter.h"
#include "pool/work_pool.h"
#include "turns.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "pool-post";

// Calls `post` `jobs` times in all, from `posters` threads, and answers the nanoseconds a post took
// its poster.
double PostFrom(std::int64_t posters, std::int64_t jobs, const std::function<void()>& post) {
  const std::int64_t share = jobs / posters;
  const Meter meter;
  {
    std::vector<std::jthread> threads;
    for (std::int64_t i = 0; i < posters; ++i) {
      threads.emplace_back([&] {
        for (std::int64_t job = 0; job < share; ++job) post();
      });
    }
  }
  return meter.nanoseconds_each(share);
}

double PostToWorkpool(const Arguments& arguments, std::atomic<std::int64_t>& done) {
  const std::int64_t jobs = arguments.Number("jobs");
  WorkPool pool({.workers = static_cast<std::uint32_t>(arguments.Number("n")),
                 .capacity = static_cast<std::uint64_t>(jobs)});
  return PostFrom(arguments.Number("posters"), jobs, [&] {
    (void)pool.TryPost([&done](Worker&) { done.fetch_add(1, std::memory_order_relaxed); });
  });
}

double PostToAsio(const Arguments& arguments, std::atomic<std::int64_t>& done) {
  asio::thread_pool pool(static_cast<std::size_t>(arguments.Number("n")));
  const double value = PostFrom(arguments.Number("posters"), arguments.Number("jobs"), [&] {
    asio::post(pool, [&done] { done.fetch_add(1, std::memory_order_relaxed); });
  });
  pool.join();
  return value;
}

}  // namespace

Values PostOnce(const Arguments& arguments) {
  const std::int64_t posters = arguments.Number("posters");
  const std::int64_t jobs = arguments.Number("jobs") / posters * posters;
  std::atomic<std::int64_t> done{0};
  const Meter meter;
  const bool ours = arguments.Text("subject") == "workpool";
  const double post = ours ? PostToWorkpool(arguments, done) : PostToAsio(arguments, done);
  const double all = meter.nanoseconds_each(jobs);
  if (done != jobs) throw std::runtime_error("jobs were lost");
  return {{"value", post}, {"until_run_ns", all}};
}

void PoolPost(const Options& options, Report& report) {
  for (const std::int64_t n : {2, 100}) {
    for (const std::int64_t posters : {1, 2}) {
      if (!options.Wants(n)) continue;
      const auto arguments = fmt::format("n={} posters={} jobs={}", n, posters, options.jobs);
      std::vector<Subject> subjects = {OwnSubject(options, kBench, "workpool", arguments),
                                       OwnSubject(options, kBench, "asio-thread-pool", arguments)};
      AddGoSubject(subjects, options, kBench, "go-channel-workers", arguments);
      report.Add(TakeTurns(
          options, {kBench, {{"n", n}, {"posters", posters}}, "ns/post", "go-channel-workers"},
          subjects));
    }
  }
}

}  // namespace workpool::bench
