// What a command finds in its environment; docs/handlers.md lists it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "handlers/command.h"
#include "jobs/handler.h"

namespace workpool {

// The minimal environment, then the handler's, then the job's: of one name the last one stands.
// Values from outside lose what the system cannot carry: NUL and broken UTF-8 become U+FFFD.
std::vector<std::pair<std::string, std::string>> CommandEnvironment(const CommandOptions& options,
                                                                    const Attempt& attempt);

}  // namespace workpool
