// Posts alone: a paused pool beside servers that a user might pick instead, with four bulk posts
// under way on each connection. Nothing is delivered.
#include "bench.h"
#include "contest.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "daemon-post";

}  // namespace

Values DaemonPostOnce(const Arguments& arguments) {
  return DaemonContestOnce(
      arguments, {.capacity = 100'000'000, .capacity_bytes = "64GiB", .paused = true}, false);
}

void DaemonPost(const Options& options, Report& report) {
  for (const int connections : {1, 2, 4}) {
    if (!options.Wants(connections)) continue;
    const DaemonContest contest = {kBench, connections};
    auto subjects = DaemonSubjects(options, contest);
    if (connections == 2) AddPeers(subjects, options, contest, report);
    report.Add(
        TakeTurns(options, {kBench, {{"clients", connections}}, "jobs/s", "empty-grpc"}, subjects));
  }
}

}  // namespace workpool::bench
