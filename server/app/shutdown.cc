#include "app/shutdown.h"

#include "base/log.h"
#include "jobs/state.h"

namespace workpool {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kMaxLostLines = 100;
// A killed command has to be reaped, and its outcome to travel, before it is given up.
constexpr milliseconds kReap{150};
constexpr milliseconds kPortsWhenIdle{500};
constexpr milliseconds kPortsWhenLate{150};
constexpr milliseconds kJoin{100};

void WaitForJobs(DaemonSteps& steps, const ShutdownPlan& plan, SignalInbox& inbox,
                 SteadyTime start) {
  if (inbox.WaitIdle(start + plan.grace, 2)) return;
  Log(LogLevel::kWarn, "the grace is over: handlers are told to stop");
  // Telling a million jobs takes its time too.
  const SteadyTime begun = steady_clock::now();
  steps.StopHandlers(kShutdownKillGrace);
  inbox.WaitIdle(begun + kShutdownKillGrace + kReap, 3);
}

}  // namespace

bool RunShutdown(DaemonSteps& steps, const ShutdownPlan& plan, SignalInbox& inbox) {
  const SteadyTime start = steady_clock::now();
  steps.Refuse(plan.run_queued, inbox);
  WaitForJobs(steps, plan, inbox, start);
  LogLostJobs(steps.GiveUp(kMaxLostLines));
  const bool in_time = steady_clock::now() < start + plan.grace;
  steps.ClosePorts(steady_clock::now() + (in_time ? kPortsWhenIdle : kPortsWhenLate));
  return steps.Join(steady_clock::now() + kJoin);
}

void LogLostJobs(const LostJobs& lost) {
  if (lost.count == 0) return;
  for (const JobView& view : lost.first) {
    Log(LogLevel::kError, "job lost in shutdown",
        {{"job", view.job->id},
         {"pool", view.job->pool},
         {"handler", view.job->handler},
         {"attempt", std::int64_t{view.attempt}},
         {"caller", view.job->caller},
         {"state", NameOf(view.state)},
         {"started", view.attempt > 0}});
  }
  Log(LogLevel::kError, "jobs lost in shutdown", {{"count", lost.count}});
}

}  // namespace workpool
