// The config that is in force, as TOML that reads back the same.
#pragma once

#include <string>

#include "app/config.h"

namespace workpool {

// `cores` is for a remark on what "3x" comes to here.
std::string PrintConfig(const Config& config, double cores);

}  // namespace workpool
