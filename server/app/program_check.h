// Whether the programs are there that the config's commands run.
#pragma once

#include <string>
#include <vector>

#include "app/config.h"

namespace workpool {

// For each command that could not be started now a line that names its handler, the system's reason
// and where the program was looked for. Asks the file system as the user of this process.
std::vector<std::string> MissingPrograms(const Config& config);

}  // namespace workpool
