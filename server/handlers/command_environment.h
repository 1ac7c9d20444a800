// What a command finds in its environment; docs/handlers.md lists it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "handlers/command.h"
#include "jobs/handler.h"

namespace workpool {

// Where a command's program is looked up: the handler's PATH, else that of the minimal environment.
std::string_view CommandPath(const std::vector<std::pair<std::string, std::string>>& env);

// The minimal environment, then the handler's, then the job's: of one name the last one stands.
// Values from outside lose what the system cannot carry: NUL and broken UTF-8 become U+FFFD.
std::vector<std::pair<std::string, std::string>> CommandEnvironment(const CommandOptions& options,
                                                                    const Attempt& attempt);

}  // namespace workpool
