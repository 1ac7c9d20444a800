// The command line of workpoold.
#pragma once

#include <expected>
#include <optional>
#include <string>

namespace workpool {

struct Options {
  std::string config_file;  // empty: the built-in defaults
  bool check_config = false;
  bool print_config = false;
  std::optional<std::string> listen;  // override what the file says
  std::optional<std::string> http;
};

// Without --config the file /etc/workpool/workpool.toml is taken if it exists. The error is the
// exit status with which to end: help, the version, or what is wrong has been printed then.
std::expected<Options, int> ParseOptions(int argc, const char* const* argv);

}  // namespace workpool
