// workpool top
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "commands.h"
#include "show.h"
#include "table.h"
#include "workpool/admin.h"

namespace workpool::cli {

namespace {

struct TopOptions {
  std::string pool;
  std::optional<std::chrono::nanoseconds> interval = std::chrono::seconds(1);
  std::uint64_t count = 0;
};

std::string Rate(double per_second) { return fmt::format("{:.0f}", per_second); }

std::string StatsTable(const client::Stats& stats) {
  Table table({{"NAME"},
               {"WORKERS", Align::kRight},
               {"ACTIVE", Align::kRight},
               {"PEAK", Align::kRight},
               {"QUEUED", Align::kRight},
               {"PEAK", Align::kRight},
               {"CAPACITY", Align::kRight},
               {"WAITING", Align::kRight},
               {"ACCEPTED/s", Align::kRight},
               {"FINISHED/s", Align::kRight},
               {"REJECTED/s", Align::kRight},
               {"OLDEST", Align::kRight},
               {"STATE"}});
  for (const client::PoolStats& entry : stats.pools) {
    const client::Pool& pool = entry.pool;
    table.Add({pool.name, std::to_string(pool.workers), std::to_string(pool.active),
               std::to_string(pool.active_peak), std::to_string(pool.queued),
               std::to_string(pool.queued_peak), std::to_string(pool.capacity),
               std::to_string(pool.waiting_posts), Rate(entry.accepted_per_second),
               Rate(entry.finished_per_second), Rate(entry.rejected_per_second),
               DurationText(pool.oldest_queued), StateOf(pool)});
  }
  return table.Text();
}

nlohmann::ordered_json StatsJson(const client::Stats& stats) {
  nlohmann::ordered_json json;
  if (stats.at) json["at"] = InstantText(*stats.at);
  json["pools"] = nlohmann::ordered_json::array();
  for (const client::PoolStats& pool : stats.pools) json["pools"].push_back(JsonOf(pool));
  return json;
}

// For a file or a pipe: a line for each pool.
std::string Lines(const client::Stats& stats) {
  std::string text;
  for (const client::PoolStats& entry : stats.pools) {
    const client::Pool& pool = entry.pool;
    text += fmt::format(
        "{} pool={} workers={} active={} queued={} capacity={} waiting={} accepted/s={:.0f} "
        "finished/s={:.0f} rejected/s={:.0f} state={}\n",
        stats.at ? InstantText(*stats.at) : "-", pool.name, pool.workers, pool.active, pool.queued,
        pool.capacity, pool.waiting_posts, entry.accepted_per_second, entry.finished_per_second,
        entry.rejected_per_second, StateOf(pool));
  }
  return text;
}

void Show(const Session& session, const client::Stats& stats, bool terminal) {
  if (session.json) return PrintJson(StatsJson(stats));
  if (terminal) {
    Print("\033[H\033[2J");
    Print(fmt::format("{}  {}\n\n", session.server, stats.at ? InstantText(*stats.at) : ""));
    Print(StatsTable(stats));
  } else {
    Print(Lines(stats));
  }
  Flush();
}

Exit Top(const Session& session, const TopOptions& options) {
  client::Admin admin(OptionsOf(session));
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  std::uint64_t shown = 0;
  const auto watched =
      admin.WatchStats(*options.interval, options.pool, [&](const client::Stats& stats) {
        Show(session, stats, terminal);
        return ++shown != options.count && Flush();
      });
  return watched ? Exit::kDone : Report(session, watched.error());
}

}  // namespace

void AddTop(const Frame& frame) {
  auto options = std::make_shared<TopOptions>();
  CLI::App& command = *frame.app.add_subcommand("top", "Watch the pools");
  command.add_option("--pool", options->pool, "only this pool");
  AddDuration(command, "--interval", options->interval, "time between readings (default 1s)");
  command.add_option("--count", options->count, "how many readings (default: until interrupted)")
      ->check(CLI::Range(1, 1'000'000'000));
  command.callback([&session = frame.session, &action = frame.action, options] {
    using std::chrono::hours;
    using std::chrono::milliseconds;
    if (*options->interval < milliseconds(100) || *options->interval > hours(1)) {
      throw CLI::ValidationError("--interval", "must be 100ms to 1h");
    }
    action = [&session, options] { return Top(session, *options); };
  });
}

}  // namespace workpool::cli
