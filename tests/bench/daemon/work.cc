// Jobs posted and worked off. workpool's run in the daemon; a peer delivers them to another
// process, which acknowledges them: not the same thing, and shown side by side only with these
// words.
#include "bench.h"
#include "contest.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "daemon-work";

}  // namespace

Values DaemonWorkOnce(const Arguments& arguments) { return DaemonContestOnce(arguments, {}, true); }

void DaemonWork(const Options& options, Report& report) {
  const DaemonContest contest = {.bench = kBench};
  auto subjects = DaemonSubjects(options, contest);
  AddPeers(subjects, options, contest, report);
  report.Say("daemon-work: runs in the daemon; the peer delivers to another process");
  report.Add(TakeTurns(
      options, {kBench, {{"clients", contest.connections}}, "jobs/s", "empty-grpc"}, subjects));
}

}  // namespace workpool::bench
