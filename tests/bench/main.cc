// workpool_bench [NAME...]: runs the named benchmarks, or all. `once` and `serve-empty` are what it
// starts itself with.
#include <absl/synchronization/mutex.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "bench.h"
#include "daemon/empty_service.h"
#include "once.h"

namespace workpool::bench {
namespace {

struct Bench {
  const char* name;
  void (*run)(const Options&, Report&);
};

constexpr Bench kBenches[] = {
    {"pool-workers", PoolWorkers},   {"pool-limits", PoolLimits},
    {"pool-sleepers", PoolSleepers}, {"pool-handoff", PoolHandoff},
    {"pool-post", PoolPost},         {"pool-reject", PoolReject},
    {"pool-deep", PoolDeep},         {"pool-burst", PoolBurst},
    {"pool-blocker", PoolBlocker},   {"pool-allocations", PoolAllocations},
    {"daemon-unary", DaemonUnary},   {"daemon-batch", DaemonBatch},
    {"daemon-stream", DaemonStream}, {"daemon-gathered", DaemonGathered},
    {"daemon-run", DaemonRun},       {"daemon-post", DaemonPost},
    {"daemon-work", DaemonWork},     {"daemon-latency", DaemonLatency},
    {"daemon-growth", DaemonGrowth}, {"daemon-memory", DaemonMemory},
};

// One that fails does not keep the others from running.
bool RunOne(const Bench& bench, const Options& options, Report& report) {
  try {
    bench.run(options, report);
    return true;
  } catch (const std::exception& error) {
    fmt::print(stderr, "workpool_bench: {}: {}\n", bench.name, error.what());
    return false;
  }
}

int Main(int argc, char** argv) {
  Options options;
  options.own_program = std::filesystem::read_symlink("/proc/self/exe");
  options.allocations_program = options.own_program + "_allocations";
  std::vector<std::string> names, known;
  for (const auto& bench : kBenches) known.emplace_back(bench.name);
  std::string out = "/dev/null";
  bool append = false;
  CLI::App app("Benchmarks of workpool beside others, both sides in one run");
  app.add_option("names", names, "benchmarks to run; all if none")->check(CLI::IsMember(known));
  app.add_option("--runs", options.runs, "runs of each subject")->check(CLI::Range(1, 100));
  app.add_option("--jobs", options.jobs, "of each run of a pool, and of daemon-memory")
      ->check(CLI::Range(1, 100'000'000));
  app.add_option("--seconds", options.seconds, "of each run of a daemon")
      ->check(CLI::Range(0.05, 600.0));
  app.add_option("--n", options.n, "only these numbers of workers (daemon: of connections)")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--subjects", options.subjects, "only these, where subjects are many")
      ->delimiter(',')
      ->allow_extra_args(false);
  bool list = false;
  app.add_flag("--list", list, "only name the benchmarks");
  app.add_option("--workpoold", options.workpoold, "the daemon")->required();
  app.add_option("--go", options.go_program, "the Go subjects");
  app.add_option("--out", out, "gets one JSON object a figure, one a line");
  app.add_flag("--append", append, "keep what is in that file");
  CLI11_PARSE(app, argc, argv);
  if (list) {
    for (const auto& name : known) fmt::print("{}\n", name);
    return 0;
  }
  std::ofstream results(out, append ? std::ios::app : std::ios::trunc);
  Report report(results);
  bool well = true;
  for (const auto& bench : kBenches) {
    if (names.empty() || std::ranges::find(names, bench.name) != names.end()) {
      well &= RunOne(bench, options, report);
    }
  }
  return well && results ? 0 : 1;
}

}  // namespace
}  // namespace workpool::bench

int main(int argc, char** argv) {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words == std::vector<std::string>{"serve-empty"}) return workpool::bench::ServeEmpty();
    if (!words.empty() && words[0] == "once") {
      return workpool::bench::RunOnce({words.begin() + 1, words.end()});
    }
    return workpool::bench::Main(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "workpool_bench: {}\n", error.what());
    return 1;
  }
}
