// Shutting down: the steps, and how the process leaves.
#include <unistd.h>

#include "app/app.h"
#include "app/exit_status.h"
#include "base/log.h"
#include "jobs/job_log.h"

namespace workpool {

int App::Shutdown() {
  watchdog_->Shorten(clock_.Now() + server_.grace + kWatchdog);
  Log(LogLevel::kInfo, "shutting down");
  const bool ended = RunShutdown(
      *this, {.grace = server_.grace, .run_queued = server_.shutdown == ShutdownMode::kDrain},
      inbox_);
  TellLeftOutJobLines(SteadyTime::max());
  if (!ended) {
    Log(LogLevel::kWarn, "leaving while handlers still run");
    Leave(kExitOk);
  }
  // All is done. A library that short of threads never ends (gRPC's timers) has no say in it.
  hung_status_ = kExitOk;
  watchdog_->Shorten(clock_.Now() + kWatchdog);
  Destroy();
  watchdog_.reset();
  Log(LogLevel::kInfo, "stopped");
  return kExitOk;
}

void App::Refuse(bool run_queued, SignalInbox& idle) {
  shutting_down_ = true;
  serving_ = false;
  notifier_.Stopping();
  if (rpc_ != nullptr) rpc_->SetNotServing();
  dispatcher_->StopAccepting(run_queued, [&idle] { idle.NoteIdle(); });
}

void App::StopHandlers(std::chrono::nanoseconds kill_grace) {
  if (watchdog_ != nullptr) watchdog_->Shorten(clock_.Now() + kWatchdog);
  dispatcher_->StopHandlers(kill_grace);
}

LostJobs App::GiveUp(std::size_t show) { return dispatcher_->GiveUp(show); }

void App::ClosePorts(SteadyTime deadline) {
  if (rpc_ != nullptr) rpc_->Shutdown(deadline);
}

bool App::Join(SteadyTime deadline) { return dispatcher_->JoinPools(deadline); }

void App::Destroy() {
  http_.reset();
  rpc_.reset();
  loop_.KillChildren();
  loop_.Stop();
  metrics_.SetSource(nullptr);
  dispatcher_.reset();
}

void App::Leave(int status) {
  loop_.KillChildren();
  _exit(status);
}

}  // namespace workpool
