// Posts alone: a paused pool beside servers that a user might pick instead, each filled over two
// connections with four bulk posts under way on each. Nothing is delivered.
#include <atomic>
#include <stdexcept>
#include <thread>

#include "bench.h"
#include "daemon.h"
#include "load.h"
#include "peers/peer.h"
#include "rate.h"
#include "turns.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "daemon-post";
constexpr int kConnections = 2;
constexpr int kUnderWay = 4;
constexpr int kBatch = 1000;

constexpr Load kLoad = {
    .call = Call::kBatch, .clients = kConnections, .outstanding = kUnderWay, .batch = kBatch};

// Keeps bulk posts under way until told to stop.
void Produce(PeerProducer& producer, int batch, std::atomic<std::int64_t>& posted,
             const std::atomic<bool>& stop) {
  int under_way = 0;
  while (!stop) {
    while (under_way <= (kUnderWay - 1) * batch) {
      producer.Send(batch);
      under_way += batch;
    }
    const int acknowledged = producer.Wait();
    under_way -= acknowledged;
    posted += acknowledged;
  }
}

double PeerPostsPerSecond(Peer& peer, double seconds) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::others_exec,
                               std::filesystem::perm_options::add);
  const auto files = folder.path() / "server";
  std::filesystem::create_directory(files);
  const PeerProcess server = peer.Start(files);
  std::atomic<std::int64_t> posted{0};
  std::atomic<bool> stop{false};
  std::vector<std::unique_ptr<PeerProducer>> producers;
  for (int i = 0; i < kConnections; ++i) producers.push_back(peer.Connect());
  std::vector<std::jthread> threads;
  for (auto& producer : producers) {
    threads.emplace_back([&] { Produce(*producer, peer.batch(), posted, stop); });
  }
  const double rate = Rate(seconds, [&] { return posted.load(); });
  stop = true;
  return rate;
}

double WorkpoolPostsPerSecond(const Arguments& arguments, double seconds) {
  Options options;
  options.workpoold = arguments.Text("workpoold");
  const Daemon daemon(options,
                      {.capacity = 100'000'000, .capacity_bytes = "64GiB", .paused = true});
  return JobsPerSecond(daemon.address(), kLoad, seconds);
}

}  // namespace

Values DaemonPostOnce(const Arguments& arguments) {
  const std::string& name = arguments.Text("subject");
  const double seconds = static_cast<double>(arguments.Number("milliseconds")) / 1000;
  if (name == "workpool") return {{"value", WorkpoolPostsPerSecond(arguments, seconds)}};
  if (name == "empty-grpc") {
    const ServerProcess server({arguments.Text("program"), "serve-empty"});
    return {{"value", JobsPerSecond(server.address(), kLoad, seconds)}};
  }
  for (const auto& peer : AllPeers()) {
    if (peer->name() == name) return {{"value", PeerPostsPerSecond(*peer, seconds)}};
  }
  throw std::invalid_argument("no such subject: " + name);
}

void DaemonPost(const Options& options, Report& report) {
  const auto subject = [&](const std::string& name, std::int64_t batch) {
    Subject made = OwnSubject(options, kBench, name, "");
    made.command.push_back("milliseconds=" +
                           std::to_string(static_cast<std::int64_t>(options.seconds * 1000)));
    made.command.push_back("workpoold=" + options.workpoold);
    made.command.push_back("program=" + options.own_program);
    made.parameters = {{"batch", batch}};
    return made;
  };
  std::vector<Subject> subjects = {subject("workpool", kBatch), subject("empty-grpc", kBatch)};
  for (const auto& peer : AllPeers()) {
    if (HasProgram(peer->program())) {
      subjects.push_back(subject(peer->name(), peer->batch()));
    } else if (options.Wants(peer->name())) {
      report.Say("daemon-post: " + peer->name() + " is left out: Debian's " + peer->package() +
                 " is not here");
    }
  }
  report.Add(TakeTurns(
      options,
      {kBench, {{"clients", kConnections}, {"outstanding", kUnderWay}}, "jobs/s", "empty-grpc"},
      subjects));
}

}  // namespace workpool::bench
