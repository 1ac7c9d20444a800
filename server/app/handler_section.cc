#include "app/handler_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/names.h"

namespace workpool {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;

void ReadPoolName(TableReader& table, HandlerSettings& handler, const Config& config) {
  if (!table.Has("pool")) {
    table.Raw("pool");
    return table.Complain("pool", "is missing: a handler names the pool in which it runs");
  }
  if (!table.Text("pool", handler.pool)) return;
  std::vector<std::string_view> names;
  names.reserve(config.pools.size());
  for (const PoolSettings& pool : config.pools) names.push_back(pool.name);
  if (std::ranges::find(names, handler.pool) != names.end()) return;
  const std::string_view near = Nearest(handler.pool, names.data(), names.data() + names.size());
  const std::string hint = near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near);
  table.Complain("pool",
                 fmt::format("no [pools.{0}] in this file{1}", Printable(handler.pool), hint));
}

void ReadEnv(TableReader& handler, HandlerSettings& settings) {
  handler.Table("env", [&](TableReader& table) {
    table.EachText([&](std::string_view name, const std::string& value) {
      if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != name.npos) {
        table.Complain(name, "the name of a variable is not empty and has neither = nor NUL");
      } else if (name.starts_with("WORKPOOL_")) {
        table.Complain(name, "the daemon itself sets the variables that start with WORKPOOL_");
      }
      settings.env.emplace_back(name, value);
    });
  });
}

void ReadCommand(TableReader& table, HandlerSettings& handler) {
  if (table.Texts("exec", handler.exec) && (handler.exec.empty() || handler.exec[0].empty())) {
    table.Complain("exec", "must hold at least the program");
  }
  table.Text("cwd", handler.cwd);
  ReadEnv(table, handler);
  std::uint64_t exit_code = 0;
  if (table.Number("no_retry_exit", exit_code, 1, 255)) {
    handler.no_retry_exit = static_cast<int>(exit_code);
  }
}

// Who runs the job: a command, or code of that name in this process.
void CheckKind(TableReader& table, const HandlerSettings& handler, const Config& config,
               const KnownHandlers& known) {
  const bool is_cpp = known.cpp.contains(handler.name);
  const bool is_builtin = config.server.builtin_handlers && known.builtin.contains(handler.name);
  if (table.Has("exec")) {
    if (is_cpp) table.Complain("exec", "a C++ handler of this name exists already");
    return;
  }
  for (const std::string_view key : {"cwd", "env", "no_retry_exit"}) {
    if (table.Has(key)) table.Complain(key, "goes only with exec");
  }
  if (is_cpp || is_builtin || table.Has("http")) return;
  table.Complain("exec",
                 "is missing: a handler has exec, unless a C++ or built-in handler of this name "
                 "exists");
}

void ReadHandler(TableReader& table, HandlerSettings& handler, const Config& config,
                 const KnownHandlers& known) {
  ReadPoolName(table, handler, config);
  ReadCommand(table, handler);
  table.Duration("timeout", handler.timeout, nanoseconds(0), hours(24 * 30));
  table.Duration("kill_grace", handler.kill_grace, nanoseconds(0), hours(1));
  std::uint64_t max_active = 0;
  if (table.Number("max_active", max_active, 0, kMaxWorkers)) {
    handler.max_active = static_cast<std::uint32_t>(max_active);
  }
  std::uint64_t attempts = 1;
  if (table.Number("max_attempts", attempts, 1, 1'000'000) && attempts != 1) {
    table.Complain("max_attempts", "other than 1 is not served by this version yet");
  }
  table.Later({"http", "queue_ttl", "backoff"});
  CheckKind(table, handler, config, known);
}

}  // namespace

std::vector<HandlerSettings> ReadHandlers(TableReader& handlers, const Config& config,
                                          const KnownHandlers& known) {
  std::vector<HandlerSettings> list;
  handlers.EachTable([&](std::string_view name, TableReader& table) {
    const auto fine = CheckName("the name of a handler", name);
    if (!fine) handlers.Complain(name, fine.error().message);
    HandlerSettings& handler = list.emplace_back();
    handler.name = name;
    ReadHandler(table, handler, config, known);
  });
  return list;
}

}  // namespace workpool
