// The order of a shutdown (docs/operations.md): refuse posts, let jobs end during the grace, stop
// handlers, name what is lost, close the ports, leave. A second request to stop ends the grace, a
// third one all waiting.
#pragma once

#include <chrono>
#include <cstddef>

#include "app/signal_inbox.h"
#include "base/clock.h"
#include "jobs/lost_jobs.h"

namespace workpool {

// What a shutdown does to the daemon; `App` implements it.
class DaemonSteps {
 public:
  virtual ~DaemonSteps() = default;
  // Posts are refused from now on; `idle` notes when no job can run any more.
  virtual void Refuse(bool run_queued, SignalInbox& idle) = 0;
  virtual void StopHandlers(std::chrono::nanoseconds kill_grace) = 0;
  // Ends what is unfinished, counts it, and names the first `show`.
  virtual LostJobs GiveUp(std::size_t show) = 0;
  // Ends calls and connections; what is left at `deadline` is cut off.
  virtual void ClosePorts(SteadyTime deadline) = 0;
  // Waits for the workers' threads; false when `deadline` came first.
  virtual bool Join(SteadyTime deadline) = 0;
};

struct ShutdownPlan {
  std::chrono::nanoseconds grace{0};
  bool run_queued = true;
};

// From the end of the grace, or the second request, to the end of RunShutdown it takes no longer
// than this, as long as no step blocks beyond its deadline.
inline constexpr std::chrono::milliseconds kAfterGrace{950};
// When a hung step is not waited for any longer: below the 1 s that is promised, because the
// process takes a moment to end.
inline constexpr std::chrono::milliseconds kWatchdog{980};
// After being told to stop, a command has this long from TERM to KILL.
inline constexpr std::chrono::milliseconds kShutdownKillGrace{500};

// Blocks. False when handlers still run: then the process must leave without destroying anything.
bool RunShutdown(DaemonSteps& steps, const ShutdownPlan& plan, SignalInbox& inbox);

// One line for each that is named, and their number.
void LogLostJobs(const LostJobs& lost);

}  // namespace workpool
