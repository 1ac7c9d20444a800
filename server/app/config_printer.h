// The config that is in force, as TOML that reads back the same.
#pragma once

#include <string>
#include <vector>

#include "app/config.h"

namespace workpool {

// `cores` is for a remark on what "3x" comes to here.
std::string PrintConfig(const Config& config, double cores);

// What a restart would change: "server.grace: "30s" -> "1m"". Leaves out builtin_handlers, which
// changes live.
std::vector<std::string> ServerChanges(const ServerSettings& running, const ServerSettings& wanted);

}  // namespace workpool
