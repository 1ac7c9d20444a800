// Log lines about a job: always with the same fields.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "base/log.h"
#include "jobs/job.h"

namespace workpool {

// Of what the dispatcher says about jobs no more than this in a second is written, however many end
// at once: a log that is flooded hides everything else, and whoever logs waits for it. The rest is
// counted, and one line tells how many it were.
inline constexpr std::uint64_t kJobLinesPerSecond = 200;

void LogJob(LogLevel level, std::string_view message, const Job& job, int attempt);

// What a handler says: how much that is, is for the handler to know.
void LogForHandler(LogLevel level, std::string_view message, const Job& job, int attempt);

// Tells how many lines LogJob has left out in seconds that are over at `now`, if any. For whoever
// has a timer: LogJob alone would tell it only with the next line.
void TellLeftOutJobLines(SteadyTime now);

}  // namespace workpool
