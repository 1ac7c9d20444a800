// System D, (5): n workers on one bounded queue, one poster that waits while it is full. Making the
// pool and draining it are inside the time.
#include <fmt/format.h>

#include <stdexcept>

#include "bench.h"
#include "chain.h"
#include "meter.h"
#include "subjects.h"
#include "turns.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "pool-workers";
// These need microseconds a job: a fifth of the jobs says as much.
constexpr std::int64_t kSlowShare = 5;

struct Shape {
  std::int64_t n = 0;
  std::int64_t jobs = 0;
  std::string body;
  std::int64_t steps = 0;

  std::string Arguments(std::int64_t share = 1) const {
    return fmt::format("n={} jobs={} body={} steps={}", n, std::max<std::int64_t>(jobs / share, 1),
                       body, steps);
  }
};

void AddPeers(std::vector<Subject>& subjects, const Options& options, const Shape& shape) {
  for (const char* slow : {"onetbb", "asio-thread-pool", "asio-bounded", "rvaser-thread-pool"}) {
    subjects.push_back(OwnSubject(options, kBench, slow, shape.Arguments(kSlowShare)));
    subjects.back().parameters = {{"jobs", shape.jobs / kSlowShare}};
  }
}

void BodyAlone(const Options& options, Report& report, const std::string& body) {
  const auto arguments = Shape{.n = 1, .jobs = options.jobs, .body = body}.Arguments();
  std::vector<Subject> subjects = {OwnSubject(options, kBench, "body-alone", arguments)};
  AddGoSubject(subjects, options, kBench, "go-body-alone", arguments);
  report.Add(TakeTurns(options, {kBench, {{"body", body}}, "ns/job", ""}, subjects));
}

void WithBody(const Options& options, Report& report, const std::string& body) {
  BodyAlone(options, report, body);
  for (const std::int64_t n : {10, 100, 1000, 10'000, 100'000, 1'000'000}) {
    if (!options.Wants(n)) continue;
    const Shape shape = {.n = n, .jobs = options.jobs, .body = body};
    std::vector<Subject> subjects = {OwnSubject(options, kBench, "workpool", shape.Arguments())};
    if (body == "fib") AddPeers(subjects, options, shape);
    AddGoSubject(subjects, options, kBench, "go-channel-workers", shape.Arguments());
    report.Add(TakeTurns(
        options, {kBench, {{"n", n}, {"body", body}}, "ns/job", "go-channel-workers"}, subjects));
  }
}

// CPU jobs of half a microsecond to five, of which a run does half a second's worth.
void CpuJobs(const Options& options, Report& report) {
  const std::int64_t steps = ChainStepsAMicrosecond();
  for (const std::int64_t n : {10, 100}) {
    for (const std::int64_t nanoseconds : {500, 1000, 2000, 5000}) {
      if (!options.Wants(n)) continue;
      const Shape shape = {.n = n,
                           .jobs = std::min(options.jobs, 500'000'000 / nanoseconds),
                           .body = "chain",
                           .steps = steps * nanoseconds / 1000};
      std::vector<Subject> subjects = {OwnSubject(options, kBench, "workpool", shape.Arguments()),
                                       OwnSubject(options, kBench, "onetbb", shape.Arguments())};
      AddGoSubject(subjects, options, kBench, "go-channel-workers", shape.Arguments());
      const Parameters parameters = {{"n", n}, {"body", "chain"}, {"ns", nanoseconds}};
      report.Add(
          TakeTurns(options, {kBench, parameters, "ns/job", "go-channel-workers"}, subjects));
    }
  }
}

}  // namespace

Values WorkersOnce(const Arguments& arguments) {
  const std::int64_t jobs = arguments.Number("jobs");
  Body body(arguments.Text("body"), jobs, arguments.Number("steps"));
  if (arguments.Text("subject") == "body-alone") {
    const Meter meter;
    for (std::size_t job = 0; job < body.jobs(); ++job) body.Do(job);
    return {{"value", meter.nanoseconds_each(jobs)}};
  }
  const auto subject = MakePoolSubject(arguments.Text("subject"));
  const Meter meter;
  const auto threads = subject->Run(arguments.Number("n"), body);
  const double value = meter.nanoseconds_each(jobs);
  if (body.done() != body.jobs()) throw std::runtime_error("jobs were lost");
  return {{"value", value},
          {"threads", static_cast<double>(threads - 1)},  // the poster is one
          {"cpu_ns", meter.cpu_seconds() * 1e9 / static_cast<double>(jobs)}};
}

void PoolWorkers(const Options& options, Report& report) {
  for (const char* body : {"fib", "equal"}) WithBody(options, report, body);
  CpuJobs(options, report);
}

}  // namespace workpool::bench
