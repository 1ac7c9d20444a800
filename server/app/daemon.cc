#include "app/daemon.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <string>
#include <utility>

#include "app/app.h"
#include "app/config_printer.h"
#include "app/config_source.h"
#include "app/cores.h"
#include "app/exit_status.h"
#include "app/log_sink.h"
#include "app/options.h"
#include "base/log.h"
#include "rpc/process.h"

namespace workpool {
namespace {

// Each connection and each running command needs descriptors; the usual soft limit of 1024 is there
// for programs that call select.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int Serve(ConfigSource source, Config config, const HandlerRegistry& registry) {
  const ScopedLog log(config.server.log, stderr);
  RaiseDescriptorLimit();
  App app(std::move(source), std::move(config), registry);
  if (const auto started = app.Start(); !started) {
    Log(LogLevel::kError, started.error().message);
    return kExitFailure;
  }
  return app.Run();
}

}  // namespace

int RunDaemon(int argc, char** argv, const HandlerRegistry& registry) {
  PrepareGrpcProcess();
  const auto options = ParseOptions(argc, argv);
  if (!options) return options.error();
  ConfigSource source(*options, KnownHandlersOf(registry));
  auto config = source.Load();
  if (!config) {
    fmt::print(stderr, "{}\n", config.error().message);
    return kExitUsage;
  }
  if (options->print_config) fmt::print("{}", PrintConfig(*config, Cores::Available()));
  if (options->check_config && !options->print_config) {
    fmt::print("{}: ok\n", source.file().empty() ? "the defaults" : source.file());
  }
  if (options->print_config || options->check_config) return kExitOk;
  return Serve(std::move(source), std::move(*config), registry);
}

}  // namespace workpool
