// Reads workpool.toml strictly: what it does not know, and what breaks a rule, is an error. The
// only place that sees TOML, with table_reader.h.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "app/config.h"
#include "base/error.h"

namespace workpool {

// The handlers that exist without an `exec`.
struct KnownHandlers {
  std::set<std::string, std::less<>> builtin;
  std::set<std::string, std::less<>> cpp;
};

// On failure kBadConfig; the message has one line for each thing that is wrong:
// "FILE:LINE:COLUMN: KEY: what and the rule". `file` is only a name for messages.
Result<Config> ParseConfig(std::string_view text, const std::string& file,
                           const KnownHandlers& known);

// The same from a file. Blocks on it; at most 1 MiB.
Result<Config> ReadConfigFile(const std::string& file, const KnownHandlers& known);

}  // namespace workpool
