#include "jobs/shutdown.h"

#include <atomic>
#include <ranges>
#include <utility>

namespace workpool {
namespace {

// Calls back when every pool is empty.
class AllEmpty {
 public:
  AllEmpty(std::size_t pools, std::move_only_function<void()> done)
      : left_(pools + 1), done_(std::move(done)) {}

  void One() {
    if (left_.fetch_sub(1) == 1 && done_ != nullptr) done_();
  }

 private:
  std::atomic<std::size_t> left_;  // the pools, and the one who counts them
  std::move_only_function<void()> done_;
};

}  // namespace

std::vector<std::shared_ptr<PoolSlot>> ShutdownSteps::Pools() const {
  std::vector<std::shared_ptr<PoolSlot>> pools;
  for (const auto& [name, pool] : core_.routes.Get()->pools) pools.push_back(pool);
  return pools;
}

void ShutdownSteps::StopAccepting(bool run_queued, std::move_only_function<void()> idle) {
  core_.closing = true;
  const auto pools = Pools();
  for (const auto& pool : pools) pool->tasks().Close(run_queued);
  if (!run_queued) StopQueues();
  const auto all = std::make_shared<AllEmpty>(pools.size(), std::move(idle));
  for (const auto& pool : pools) pool->WhenEmpty([all] { all->One(); });
  all->One();
}

void ShutdownSteps::StopQueues() {
  for (const auto& pool : Pools()) {
    pool->tasks().Close(false);
    recorder_.ParkQueued(pool);
  }
}

void ShutdownSteps::StopHandlers(std::chrono::nanoseconds kill_grace) {
  core_.closing = true;
  StopQueues();
  // Those that are QUEUED still are on their way to a worker, and learn it there.
  for (const auto& entry : core_.table.All()) {
    stopper_.Stop(entry, StopReason::kShutdown, kill_grace);
  }
}

// There may be a million of them, and not a second for all.
LostJobs ShutdownSteps::GiveUp(std::size_t show) {
  LostJobs lost;
  const SteadyTime now = core_.clock.Now();
  const Error error = {
      ErrorCode::kShuttingDown, "the daemon shuts down and will not finish the job", {}};
  const auto entries = core_.table.All();
  for (const auto& entry : std::views::reverse(entries)) {  // the table lists the newest first
    JobView view;
    const bool shown = lost.first.size() < show;
    if (!entry->GiveUp(now, shown ? &view : nullptr)) continue;
    ++lost.count;
    recorder_.EndWaits(entry->TakeWaiters(), error);
    if (shown) lost.first.push_back(std::move(view));
  }
  for (const auto& pool : Pools()) {
    pool->EndDrains(Fail(ErrorCode::kShuttingDown, "the daemon shuts down"));
  }
  return lost;
}

bool ShutdownSteps::JoinPools(SteadyTime deadline) {
  bool joined = true;
  for (const auto& pool : Pools()) {
    pool->tasks().Close(false);
    joined = pool->tasks().Join(deadline) && joined;
  }
  return joined;
}

}  // namespace workpool
