// What a million queued jobs of 64 bytes take, and what is left of it when they have run. The
// baseline is the daemon at rest after so many jobs that it keeps as many finished ones as it may.
#include <chrono>
#include <thread>

#include "bench.h"
#include "daemon.h"
#include "load.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "daemon-memory";

// Resident memory once it has not shrunk for eight seconds, for the daemon gives back some seconds
// after its last job; at most half a minute later.
double AtRest(Daemon& daemon) {
  daemon.AwaitIdle();
  double lowest = daemon.ResidentMib();
  for (int quiet = 0, looks = 0; quiet < 32 && looks < 120; ++quiet, ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    const double now = daemon.ResidentMib();
    if (now < lowest - 0.1) quiet = 0;
    lowest = std::min(lowest, now);
  }
  return lowest;
}

}  // namespace

void DaemonMemory(const Options& options, Report& report) {
  std::vector<double> idle, baseline, queued, drained;
  for (int run = 0; run < options.runs; ++run) {
    Daemon daemon(options, {.capacity = static_cast<std::uint64_t>(options.jobs) + 1000,
                            .capacity_bytes = "4GiB"});
    idle.push_back(daemon.ResidentMib());
    PostJobs(daemon.address(), std::min<std::int64_t>(options.jobs, 200'000));
    baseline.push_back(AtRest(daemon));
    daemon.Pause();
    PostJobs(daemon.address(), options.jobs);
    queued.push_back(daemon.ResidentMib() - baseline.back());
    daemon.Resume();
    drained.push_back(AtRest(daemon));
  }
  const Parameters parameters = {{"jobs", options.jobs}, {"payload", 64}};
  const auto figure = [&](const std::string& subject, const std::vector<double>& values) {
    return MakeFigure(kBench, subject, parameters, values, "MiB");
  };
  Figures figures = {figure("workpool-fresh", idle), figure("workpool-at-rest", baseline),
                     figure("workpool-queued", queued), figure("workpool-drained", drained)};
  Compare(figures[3], figures[1]);
  report.Add(figures);
}

}  // namespace workpool::bench
