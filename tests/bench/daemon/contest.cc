#include "contest.h"

#include <fmt/format.h>

#include <stdexcept>

namespace workpool::bench {
namespace {

constexpr int kBatch = 1000;
constexpr int kUnderWay = 4;  // bulk posts on each connection

Subject MakeSubject(const Options& options, const DaemonContest& contest, const std::string& name,
                    std::int64_t batch) {
  Subject subject =
      OwnSubject(options, contest.bench, name,
                 fmt::format("milliseconds={} connections={}", std::llround(options.seconds * 1000),
                             contest.connections));
  subject.command.push_back("workpoold=" + options.workpoold);
  subject.command.push_back("program=" + options.own_program);
  subject.parameters = {{"batch", batch}};
  return subject;
}

}  // namespace

std::vector<Subject> DaemonSubjects(const Options& options, const DaemonContest& contest) {
  return {MakeSubject(options, contest, "workpool", kBatch),
          MakeSubject(options, contest, "empty-grpc", kBatch)};
}

void AddPeers(std::vector<Subject>& subjects, const Options& options, const DaemonContest& contest,
              Report& report) {
  for (const auto& peer : AllPeers()) {
    if (HasProgram(peer->program())) {
      subjects.push_back(MakeSubject(options, contest, peer->name(), peer->batch()));
    } else if (options.Wants(peer->name())) {
      report.Say(fmt::format("{}: {} is left out: Debian's {} is not here", contest.bench,
                             peer->name(), peer->package()));
    }
  }
}

Values DaemonContestOnce(const Arguments& arguments, const DaemonConfig& config, bool consume) {
  const std::string& name = arguments.Text("subject");
  const double seconds = static_cast<double>(arguments.Number("milliseconds")) / 1000;
  const int connections = static_cast<int>(arguments.Number("connections"));
  const Load load = {
      .call = Call::kBatch, .clients = connections, .outstanding = kUnderWay, .batch = kBatch};
  if (name == "workpool") {
    Options options;
    options.workpoold = arguments.Text("workpoold");
    const Daemon daemon(options, config);
    return {{"value", JobsPerSecond(daemon.address(), load, seconds)}};
  }
  if (name == "empty-grpc") {
    const ServerProcess server({arguments.Text("program"), "serve-empty"});
    return {{"value", JobsPerSecond(server.address(), load, seconds)}};
  }
  for (const auto& peer : AllPeers()) {
    if (peer->name() != name) continue;
    const PeerLoad peer_load = {
        .connections = connections, .bulk_posts = kUnderWay, .consume = consume};
    return {{"value", PeerJobsPerSecond(*peer, peer_load, seconds)}};
  }
  throw std::invalid_argument("no such subject: " + name);
}

}  // namespace workpool::bench
