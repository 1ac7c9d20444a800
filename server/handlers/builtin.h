// The built-in handlers, for trying things out: `echo` answers its payload, `sleep` waits as long
// as its payload says ("250ms") and ends early when it is told to stop, `fail` fails with its
// payload as the message, `noop` does nothing.
#pragma once

#include <vector>

#include "jobs/config.h"

namespace workpool {

std::vector<HandlerConfig> BuiltinHandlers();

}  // namespace workpool
