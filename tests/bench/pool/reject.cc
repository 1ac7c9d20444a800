// A refused post beside an accepted one: neither runs anything while it is timed.
#include <fmt/format.h>

#include <stdexcept>

#include "bench.h"
#include "meter.h"
#include "pool/work_pool.h"
#include "turns.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "pool-reject";

Subject Ours(const Options& options, const std::string& outcome) {
  Subject subject = OwnSubject(options, kBench, "workpool",
                               fmt::format("jobs={} outcome={}", options.jobs, outcome));
  subject.name = "workpool-" + outcome;
  return subject;
}

}  // namespace

Values RejectOnce(const Arguments& arguments) {
  const std::int64_t jobs = arguments.Number("jobs");
  const bool accept = arguments.Text("outcome") == "accept";
  WorkPool pool({.workers = 1, .capacity = accept ? static_cast<std::uint64_t>(jobs) : 0});
  pool.Pause();
  std::int64_t accepted = 0;
  const Meter meter;
  for (std::int64_t i = 0; i < jobs; ++i) {
    if (pool.TryPost([&accepted](Worker&) { (void)accepted; })) ++accepted;
  }
  const double value = meter.nanoseconds_each(jobs);
  if (accepted != (accept ? jobs : 0)) throw std::runtime_error("not all were answered alike");
  return {{"value", value}};
}

void PoolReject(const Options& options, Report& report) {
  report.Add(TakeTurns(options, {kBench, {}, "ns/post", "workpool-accept"},
                       {Ours(options, "reject"), Ours(options, "accept")}));
}

}  // namespace workpool::bench
