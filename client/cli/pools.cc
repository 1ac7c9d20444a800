// workpool pools, resize, pause, resume, drain, purge
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/bounds.h"
#include "commands.h"
#include "show.h"
#include "workpool/admin.h"

namespace workpool::cli {

namespace {

struct PoolOptions {
  std::string pool;
  client::Resize resize;
  std::optional<std::chrono::nanoseconds> timeout;
};

Exit ShowPool(const Session& session, const client::Result<client::Pool>& pool) {
  if (!pool) return Report(session, pool.error());
  if (session.json) {
    PrintJson(JsonOf(*pool));
  } else {
    Print(PoolsTable({*pool}));
  }
  return Exit::kDone;
}

Exit Pools(const Session& session, const PoolOptions& options) {
  client::Admin admin(OptionsOf(session));
  if (!options.pool.empty()) return ShowPool(session, admin.GetPool(options.pool));
  const auto pools = admin.Pools();
  if (!pools) return Report(session, pools.error());
  if (session.json) {
    auto list = nlohmann::ordered_json::array();
    for (const client::Pool& pool : *pools) list.push_back(JsonOf(pool));
    PrintJson({{"pools", std::move(list)}});
  } else {
    Print(PoolsTable(*pools));
  }
  return Exit::kDone;
}

Exit Resize(const Session& session, const PoolOptions& options) {
  const client::Resize& resize = options.resize;
  if (!resize.workers && !resize.capacity && !resize.reset) {
    Complain("resize needs --workers, --capacity or --reset");
    return Exit::kUsage;
  }
  client::Admin admin(OptionsOf(session));
  return ShowPool(session, admin.ResizePool(options.pool, resize));
}

Exit Pause(const Session& session, const PoolOptions& options) {
  client::Admin admin(OptionsOf(session));
  return ShowPool(session, admin.PausePool(options.pool));
}

Exit Resume(const Session& session, const PoolOptions& options) {
  client::Admin admin(OptionsOf(session));
  return ShowPool(session, admin.ResumePool(options.pool));
}

Exit Drain(const Session& session, const PoolOptions& options) {
  client::Admin admin(OptionsOf(session));
  const auto pool = admin.DrainPool(options.pool, {.timeout = options.timeout});
  if (!pool && options.timeout && pool.error().code == client::StatusCode::kDeadlineExceeded) {
    Complain(fmt::format("pool {} still has jobs; it goes on draining", options.pool));
    return Exit::kRefused;
  }
  return ShowPool(session, pool);
}

Exit Purge(const Session& session, const PoolOptions& options) {
  client::Admin admin(OptionsOf(session));
  const auto purged = admin.PurgePool(options.pool);
  if (!purged) return Report(session, purged.error());
  if (session.json) {
    PrintJson({{"purged", *purged}});
  } else {
    Print(fmt::format("{} purged\n", *purged));
  }
  return Exit::kDone;
}

using Work = Exit (*)(const Session&, const PoolOptions&);

CLI::App& Add(const Frame& frame, const char* name, const char* description, Work work,
              const std::shared_ptr<PoolOptions>& options) {
  CLI::App& command = *frame.app.add_subcommand(name, description);
  command.add_option("pool", options->pool, "the pool's name")->required();
  command.callback([&session = frame.session, &action = frame.action, options, work] {
    action = [&session, options, work] { return work(session, *options); };
  });
  return command;
}

void AddResize(const Frame& frame) {
  auto options = std::make_shared<PoolOptions>();
  CLI::App& command = Add(frame, "resize", "Change a pool's size now", Resize, options);
  client::Resize& resize = options->resize;
  auto* const workers = AddNumber(
      command, "--workers",
      [&resize](std::uint64_t number) { resize.workers = static_cast<std::uint32_t>(number); }, 1,
      kMaxWorkers, "how many workers");
  auto* const capacity = AddNumber(
      command, "--capacity", [&resize](std::uint64_t number) { resize.capacity = number; }, 0,
      kMaxCapacity, "places in the queue");
  auto* const hold = AddDuration(command, "--for", resize.hold_for, "reverts after this long");
  command.add_flag("--reset", resize.reset, "back to what the config says")
      ->excludes(workers)
      ->excludes(capacity)
      ->excludes(hold);
}

}  // namespace

void AddPoolCommands(const Frame& frame) {
  const auto fresh = [] { return std::make_shared<PoolOptions>(); };
  Add(frame, "pools", "Show the pools", Pools, fresh()).get_option("pool")->required(false);
  AddResize(frame);
  Add(frame, "pause", "Start nothing more in a pool", Pause, fresh());
  Add(frame, "resume", "End a pool's pause or drain", Resume, fresh());
  auto drain = fresh();
  CLI::App& command =
      Add(frame, "drain", "Refuse posts to a pool and wait until its jobs are done", Drain, drain);
  AddDuration(command, "--timeout", drain->timeout, "how long to wait at most");
  Add(frame, "purge", "Delete a pool's waiting jobs", Purge, fresh());
}

}  // namespace workpool::cli
