#include "app/daemon.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "app/app.h"
#include "app/config_printer.h"
#include "app/config_source.h"
#include "app/cores.h"
#include "app/exit_status.h"
#include "app/limits.h"
#include "app/log_sink.h"
#include "app/options.h"
#include "app/program_check.h"
#include "app/standard_streams.h"
#include "base/log.h"
#include "rpc/process.h"

namespace workpool {
namespace {

// The loop, the watchdog, the two ports' threads, reloads, closing; a first worker for each pool;
// what gRPC 1.51 starts, which aborts or never ends without; and three for what comes and goes.
std::uint64_t ThreadsOf(const Config& config) {
  const auto cores = static_cast<std::uint64_t>(std::max(sysconf(_SC_NPROCESSORS_CONF), 2L));
  const std::uint64_t grpc =
      6 + std::min<std::uint64_t>(cores, 16) + std::min<std::uint64_t>(cores, 32);
  return 6 + config.pools.size() + grpc + 3;
}

int Refuse(const std::string& reason) {
  Log(LogLevel::kError, reason);
  return kExitFailure;
}

int Serve(ConfigSource source, Config config, const HandlerRegistry& registry) {
  const ScopedLog log(config.server.log, stderr);
  for (const std::string& line : MissingPrograms(config)) Log(LogLevel::kWarn, line);
  if (const auto enough = RaiseDescriptorLimit(); !enough) return Refuse(enough.error().message);
  if (const auto enough = CheckAddressSpace(); !enough) return Refuse(enough.error().message);
  if (const auto enough = CheckThreads(ThreadsOf(config)); !enough) {
    return Refuse(enough.error().message);
  }
  try {
    // Its signals are blocked from here on, in all threads.
    App app(std::move(source), std::move(config), registry);
    if (const auto started = app.Start(); !started) return Refuse(started.error().message);
    return app.Run();
  } catch (const std::exception& error) {
    return Refuse(fmt::format("the system gives too little: {}", error.what()));
  }
}

// Programs may be installed later, so this keeps nobody from starting.
void WarnOfMissingPrograms(const ConfigSource& source, const Config& config) {
  for (const std::string& line : MissingPrograms(config)) {
    fmt::print(stderr, "{}: warning: {}\n", source.file(), line);
  }
}

int Show(const Options& options, const ConfigSource& source, const Config& config) {
  const std::string text = options.print_config    ? PrintConfig(config, Cores::Available())
                           : source.file().empty() ? "the defaults: ok\n"
                                                   : source.file() + ": ok\n";
  if (options.check_config) WarnOfMissingPrograms(source, config);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return FlushStdout() ? kExitOk : kExitFailure;
}

}  // namespace

int RunDaemon(int argc, char** argv, const HandlerRegistry& registry) {
  PrepareGrpcProcess();
  const auto options = ParseOptions(argc, argv);
  if (!options) return FlushStdout() ? options.error() : kExitFailure;
  ConfigSource source(*options, KnownHandlersOf(registry));
  auto config = source.Load();
  if (!config) {
    fmt::print(stderr, "{}\n", config.error().message);
    return kExitUsage;
  }
  if (options->print_config || options->check_config) return Show(*options, source, *config);
  return Serve(std::move(source), std::move(*config), registry);
}

}  // namespace workpool
