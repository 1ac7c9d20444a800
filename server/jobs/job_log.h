// Log lines about a job: always with the same fields.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/log.h"
#include "jobs/job.h"

namespace workpool {

inline void LogJob(LogLevel level, std::string_view message, const Job& job, int attempt) {
  Log(level, message,
      {{"job", std::uint64_t{job.id}},
       {"pool", job.pool},
       {"handler", job.handler},
       {"attempt", std::int64_t{attempt}},
       {"caller", job.caller}});
}

}  // namespace workpool
