#include "jobs/job_log.h"

#include <chrono>

#include "base/line_cap.h"

namespace workpool {
namespace {

// One for the process, as its log is.
LineCap& Cap() {
  static LineCap cap(kJobLinesPerSecond, std::chrono::seconds(1));
  return cap;
}

}  // namespace

void LogJob(LogLevel level, std::string_view message, const Job& job, int attempt) {
  if (!LogEnabled(level)) return;
  const SteadyTime now = std::chrono::steady_clock::now();
  const bool write = Cap().Count(now);
  TellLeftOutJobLines(now);
  if (write) LogForHandler(level, message, job, attempt);
}

void LogForHandler(LogLevel level, std::string_view message, const Job& job, int attempt) {
  Log(level, message,
      {{"job", std::uint64_t{job.id}},
       {"pool", job.pool},
       {"handler", job.handler},
       {"attempt", std::int64_t{attempt}},
       {"caller", job.caller}});
}

void TellLeftOutJobLines(SteadyTime now) {
  if (const std::uint64_t count = Cap().TakeLeftOut(now); count > 0) {
    Log(LogLevel::kWarn, "lines about jobs were left out: too many in a second",
        {{"count", count}});
  }
}

}  // namespace workpool
