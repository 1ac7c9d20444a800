// The built-in handlers, for trying things out: `echo` answers its payload, `sleep` waits as long
// as its payload says ("250ms") and ends early when it is told to stop, `fail` fails with its
// payload as the message, `noop` does nothing.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "handlers/sleeper.h"
#include "jobs/config.h"

namespace workpool {

inline constexpr std::array<std::string_view, 4> kBuiltinNames = {"echo", "fail", "noop", "sleep"};

// `sleeper` must outlive the handlers. None of them blocks.
std::vector<HandlerConfig> BuiltinHandlers(Sleeper& sleeper);

}  // namespace workpool
