// workpool bench
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>
#include <vector>

#include "base/units.h"
#include "bench_drivers.h"
#include "bench_finish.h"
#include "commands.h"
#include "show.h"

namespace workpool::cli {

namespace {

using Clients = std::vector<std::unique_ptr<client::Client>>;
using Records = std::vector<std::unique_ptr<BenchRecord>>;

struct Figures {
  BenchRecord::Totals totals;
  std::uint64_t finished = 0;
  double post_seconds = 0;
  double seconds = 0;
};

constexpr std::array<std::string_view, 4> kModes = {"unary", "batch", "stream", "gathered"};

std::string_view NameOf(BenchMode mode) { return kModes[static_cast<std::size_t>(mode)]; }

// A name for this run's jobs, short enough to cost nothing.
std::string Mark() {
  std::random_device random;
  return fmt::format("bench-{:08x}", random());
}

double PerSecond(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

double SecondsSince(BenchTime start, BenchTime end = std::chrono::steady_clock::now()) {
  return std::chrono::duration<double>(end - start).count();
}

// Posts over all connections at once.
void PostAll(const BenchOptions& options, Clients& clients, Records& records) {
  // At most so many jobs are followed, and so few that this does not slow the others.
  constexpr std::uint64_t kSamples = 1000;
  constexpr std::uint64_t kSpacing = 50;
  const std::uint64_t every = options.post_only ? std::numeric_limits<std::uint64_t>::max()
                                                : std::max(kSpacing, options.jobs / kSamples);
  for (auto& client : clients) records.push_back(std::make_unique<BenchRecord>(*client, every));
  Budget budget(options.jobs);
  std::vector<std::jthread> threads;
  threads.reserve(clients.size());
  for (std::size_t i = 0; i < clients.size(); ++i) {
    threads.emplace_back([&, i] { DriveBench(options, *clients[i], budget, *records[i]); });
  }
}

BenchRecord::Totals Sum(const Records& records) {
  BenchRecord::Totals totals;
  for (const auto& record : records) totals.Merge(record->totals());
  return totals;
}

client::Result<Figures> Measure(const BenchOptions& options, const client::ClientOptions& how) {
  Records records;
  Clients clients;
  for (std::uint32_t i = 0; i < options.clients; ++i) {
    clients.push_back(std::make_unique<client::Client>(how));
  }
  const auto start = std::chrono::steady_clock::now();
  PostAll(options, clients, records);
  Figures figures;
  figures.post_seconds = figures.seconds = SecondsSince(start);
  figures.totals = Sum(records);
  if (figures.totals.accepted == 0 || options.post_only) return figures;
  const auto rest = AwaitFinished(*clients.front(), options.work.handler, options.work.caller,
                                  figures.totals.last_id, options.patience);
  if (!rest) return std::unexpected(rest.error());
  figures.finished = figures.totals.accepted - rest->jobs;
  figures.seconds = SecondsSince(start, rest->at);
  // Every sample has been answered then.
  if (rest->jobs == 0) std::ranges::for_each(clients, [](auto& client) { client->Close(); });
  clients.clear();
  figures.totals = Sum(records);
  return figures;
}

void PutQuantiles(nlohmann::ordered_json& json, const std::string& name, const Histogram& times) {
  const auto put = [&](const char* which, double share) {
    json[name + which] = static_cast<double>(times.Quantile(share).count()) / 1000;
  };
  put("_p50_us", 0.5);
  put("_p99_us", 0.99);
  put("_p999_us", 0.999);
}

nlohmann::ordered_json JsonOf(const BenchOptions& options, const Figures& figures) {
  const BenchRecord::Totals& totals = figures.totals;
  nlohmann::ordered_json json = {
      {"handler", options.work.handler},
      {"mode", NameOf(options.mode)},
      {"jobs", options.jobs},
      {"clients", options.clients},
      {"outstanding", options.outstanding},
      {"batch", options.batch},
      {"payload_bytes", options.payload_bytes},
      {"accepted", totals.accepted},
      {"rejected", totals.rejected},
      {"failed", totals.failed},
      {"finished", figures.finished},
      {"post_seconds", figures.post_seconds},
      {"seconds", figures.seconds},
      {"posts_per_second", PerSecond(totals.accepted + totals.rejected, figures.post_seconds)},
      {"accepted_per_second", PerSecond(totals.accepted, figures.post_seconds)},
      {"finished_per_second", PerSecond(figures.finished, figures.seconds)}};
  PutQuantiles(json, "post", totals.post);
  PutQuantiles(json, "finish", totals.finish);
  json["finish_samples"] = totals.finish.count();
  return json;
}

std::string QuantilesText(const Histogram& times) {
  return fmt::format("p50 {}  p99 {}  p999 {}", DurationText(times.Quantile(0.5)),
                     DurationText(times.Quantile(0.99)), DurationText(times.Quantile(0.999)));
}

void Show(const BenchOptions& options, const Figures& figures) {
  const BenchRecord::Totals& totals = figures.totals;
  Print(fmt::format("{} posts of {} ({}, {} clients, {} outstanding, batch {}, {} bytes)\n",
                    options.jobs, options.work.handler, NameOf(options.mode), options.clients,
                    options.outstanding, options.batch, options.payload_bytes));
  Print(fmt::format("accepted  {}\nrejected  {}\nfailed    {}\nfinished  {}\n", totals.accepted,
                    totals.rejected, totals.failed, figures.finished));
  Print(fmt::format("posts     {:.0f}/s, {:.0f}/s accepted\n",
                    PerSecond(totals.accepted + totals.rejected, figures.post_seconds),
                    PerSecond(totals.accepted, figures.post_seconds)));
  Print(fmt::format("post      {}\n", QuantilesText(totals.post)));
  if (options.post_only) return;
  Print(fmt::format("finished  {:.0f}/s\n", PerSecond(figures.finished, figures.seconds)));
  Print(fmt::format("to finish {} ({} samples)\n", QuantilesText(totals.finish),
                    totals.finish.count()));
}

Exit Bench(const Session& session, BenchOptions& options) {
  options.work.caller = Mark();
  options.work.payload.assign(options.payload_bytes, 'x');
  const auto figures = Measure(options, OptionsOf(session));
  if (!figures) return Report(session, figures.error());
  const auto& error = figures->totals.error;
  if (figures->totals.accepted + figures->totals.rejected == 0 && error) {
    return Report(session, *error);
  }
  if (session.json) {
    PrintJson(JsonOf(options, *figures));
  } else {
    Show(options, *figures);
  }
  return error ? Report(session, *error) : Exit::kDone;
}

// Fills in what was not given, refuses what makes no sense.
void Complete(BenchOptions& options, const CLI::App& command, const std::string& mode) {
  const auto found = std::ranges::find(kModes, mode);
  if (!mode.empty() && found == kModes.end()) {
    throw CLI::ValidationError("--mode", "must be unary, batch, stream or gathered");
  }
  if (!mode.empty()) {
    options.mode = static_cast<BenchMode>(found - kModes.begin());
  } else if (command.count("--batch") > 0) {
    options.mode = BenchMode::kBatch;
  }
  const bool one_by_one = options.mode == BenchMode::kUnary || options.mode == BenchMode::kGathered;
  if (one_by_one && options.batch != 1) {
    throw CLI::ValidationError("--batch", "goes with --mode batch or stream");
  }
  if (options.outstanding == 0) options.outstanding = one_by_one ? 64 : 4;
  if (options.mode == BenchMode::kUnary && options.outstanding * options.clients > 2048) {
    throw CLI::ValidationError("--outstanding", "--mode unary takes a thread each, 2048 at most");
  }
}

}  // namespace

void AddBench(const Frame& frame) {
  auto options = std::make_shared<BenchOptions>();
  auto mode = std::make_shared<std::string>();
  auto patience = std::make_shared<std::optional<std::chrono::nanoseconds>>();
  CLI::App& command = *frame.app.add_subcommand("bench", "Measure a live daemon");
  const auto add = [&command](const char* name, auto& target, std::uint64_t least,
                              std::uint64_t most, const char* description) {
    command.add_option(name, target, description)->check(CLI::Range(least, most));
  };
  command.add_option("handler", options->work.handler, "the handler's name")->required();
  add("--jobs", options->jobs, 1, 1'000'000'000, "posts in all (default 10000)");
  add("--clients", options->clients, 1, 256, "connections (default 1)");
  add("--outstanding", options->outstanding, 1, 100'000,
      "in flight on each: posts (default 64), or calls or messages of --batch posts (default 4)");
  add("--batch", options->batch, 1, 10'000, "posts in a call or message");
  add("--payload", options->payload_bytes, 0, 64 * 1024 * 1024, "bytes of each payload");
  command.add_option("--pool", options->work.pool, "the pool (default: the handler's)");
  command
      .add_option("--mode", *mode,
                  "unary, batch, stream or gathered (default: gathered; batch with --batch)")
      ->type_name("MODE");
  command.add_flag("--post-only", options->post_only, "do not wait for the jobs to finish");
  command.add_flag_callback(
      "--wait-for-room", [options] { options->work.when_full = client::WhenFull::kWait; },
      "posts wait while the pool is full");
  AddDuration(command, "--patience", *patience, "how long to wait for the end (default 1m)");
  command.callback(
      [&command, &session = frame.session, &action = frame.action, options, mode, patience] {
        Complete(*options, command, *mode);
        options->patience = patience->value_or(options->patience);
        action = [&session, options] { return Bench(session, *options); };
      });
}

}  // namespace workpool::cli
