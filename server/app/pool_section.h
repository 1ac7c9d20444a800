// The sections [pools.NAME] of the config file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/config.h"
#include "app/table_reader.h"

namespace workpool {

std::vector<PoolSettings> ReadPools(TableReader& pools);

// "3x" and "0.5x": workers per core. Nothing for any other text, and outside 0.01 to 1000.
std::optional<Workers> ParsePerCore(std::string_view text);
// As the config file has it: 8, "3x" or a table.
std::string FormatWorkers(const Workers& workers);

}  // namespace workpool
