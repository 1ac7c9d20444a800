#include "app/options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <string>

#include "app/exit_status.h"
#include "app/version.h"

namespace workpool {
namespace {

constexpr const char* kDefaultFile = "/etc/workpool/workpool.toml";

}  // namespace

std::expected<Options, int> ParseOptions(int argc, const char* const* argv) {
  Options options;
  CLI::App app("workpoold runs jobs that clients post over gRPC, in bounded pools.", "workpoold");
  app.add_option("--config", options.config_file,
                 std::string("The config file; without it ") + kDefaultFile +
                     " if it exists, else the built-in defaults")
      ->type_name("FILE");
  app.add_flag("--check-config", options.check_config, "Check the config and end");
  app.add_flag("--print-config", options.print_config, "Print the config in force and end");
  app.add_option("--listen", options.listen, "The gRPC address, instead of the config's")
      ->type_name("ADDRESS");
  app.add_option("--http", options.http, "The HTTP address, instead of the config's; off for none")
      ->type_name("ADDRESS");
  app.set_version_flag("--version", "workpoold " + std::string(Version()), "Print the version");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return std::unexpected(app.exit(error) == 0 ? kExitOk : kExitUsage);
  }
  if (app.count("--config") == 0 && access(kDefaultFile, F_OK) == 0) {
    options.config_file = kDefaultFile;
  }
  return options;
}

}  // namespace workpool
