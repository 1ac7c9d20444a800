// Reloading: pools and handlers change live, the rest waits for a restart.
#include <fmt/format.h>

#include "app/app.h"
#include "app/config_printer.h"
#include "app/cores.h"
#include "app/program_check.h"
#include "base/log.h"

namespace workpool {

Result<ReloadReport> App::Reload() {
  if (source_.file().empty()) {
    return Fail(ErrorCode::kWrongState, "the daemon runs without a config file");
  }
  // Before it serves not all parts are there, after that they go.
  if (!serving_) return Fail(ErrorCode::kWrongState, "the daemon is starting or shutting down");
  notifier_.Reloading();
  auto report = LoadAndApply();
  notifier_.Ready();
  metrics_.CountReload(report.has_value());
  if (!report) {
    Log(LogLevel::kError, "the config stays as it was: " + report.error().message);
    return report;
  }
  for (const std::string& line : report->applied) Log(LogLevel::kInfo, "reloaded: " + line);
  for (const std::string& line : report->needs_restart) {
    Log(LogLevel::kWarn, "needs a restart: " + line);
  }
  if (report->applied.empty() && report->needs_restart.empty()) {
    Log(LogLevel::kInfo, "reloaded: nothing has changed");
  }
  return report;
}

Result<ReloadReport> App::LoadAndApply() {
  MutexLock lock(reload_mutex_);
  auto config = source_.Load();
  if (!config) return std::unexpected(config.error());
  ReloadReport report;
  report.needs_restart = ServerChanges(server_, config->server);
  const bool builtin = config->server.builtin_handlers;
  config->server = server_;
  config->server.builtin_handlers = builtin;
  const DispatcherConfig converted = factory_.Convert(*config, Cores::Available());
  metrics_.SetSeries(converted);
  report.applied = dispatcher_->Reconfigure(converted);
  rpc_->SetPools(PoolNames(*config));
  for (const std::string& line : MissingPrograms(*config)) Log(LogLevel::kWarn, line);
  config_ = std::move(*config);
  return report;
}

}  // namespace workpool
