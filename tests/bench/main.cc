// workpool_bench [NAME...]: runs the named benchmarks, or all. See usage below.
#include <absl/synchronization/mutex.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>

#include "bench.h"
#include "empty_service.h"

namespace workpool::bench {
namespace {

const std::map<std::string, std::function<Figures(const Options&)>>& Benches() {
  static const std::map<std::string, std::function<Figures(const Options&)>> benches = {
      {"pool-workers", PoolWorkers},       {"daemon-unary", DaemonUnary},
      {"daemon-batch", DaemonBatch},       {"daemon-stream", DaemonStream},
      {"daemon-gathered", DaemonGathered},
  };
  return benches;
}

// Prints each figure as it comes and appends it to `results`.
void RunBenches(const std::vector<std::string>& names, const Options& options,
                std::ostream& results) {
  for (const auto& [name, run] : Benches()) {
    if (!names.empty() && std::ranges::find(names, name) == names.end()) continue;
    for (const auto& figure : run(options)) {
      std::cout << TableLine(figure) << std::endl;
      results << JsonLine(figure) << std::endl;
    }
  }
}

int Main(int argc, char** argv) {
  Options options;
  options.own_program = std::filesystem::read_symlink("/proc/self/exe");
  std::vector<std::string> names;
  std::string out;
  CLI::App app("Benchmarks of workpool beside others, both sides in one run");
  std::vector<std::string> known;
  for (const auto& entry : Benches()) known.push_back(entry.first);
  app.add_option("names", names, "benchmarks to run; all if none")->check(CLI::IsMember(known));
  app.add_option("--runs", options.runs, "runs of each subject")->check(CLI::Range(1, 100));
  app.add_option("--jobs", options.jobs, "of each run of a pool")
      ->check(CLI::Range(1, 100'000'000));
  app.add_option("--seconds", options.seconds, "of each run of a daemon")
      ->check(CLI::Range(0.1, 600.0));
  app.add_option("--workpoold", options.workpoold, "the daemon")->required();
  app.add_option("--out", out, "gets one JSON object a figure, one a line")->required();
  CLI11_PARSE(app, argc, argv);
  std::ofstream results(out);
  RunBenches(names, options, results);
  return results ? 0 : 1;
}

}  // namespace
}  // namespace workpool::bench

int main(int argc, char** argv) {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  if (argc == 2 && std::string_view(argv[1]) == "serve-empty") return workpool::bench::ServeEmpty();
  try {
    return workpool::bench::Main(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "workpool_bench: {}\n", error.what());
    return 1;
  }
}
