#include "jobs/shutdown.h"

#include <algorithm>
#include <atomic>
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

// There may be a million jobs, and not a second for all steps together. So the handlers are told
// first, and have their time while the queues are put aside.
void ShutdownSteps::StopHandlers(std::chrono::nanoseconds kill_grace) {
  core_.closing = true;
  for (const auto& pool : Pools()) pool->tasks().Close(false);
  // Those that are QUEUED still may be on their way to a worker, and learn it there.
  core_.table.ForEach([this, kill_grace](const Ref<JobEntry>& entry) {
    stopper_.Stop(entry, StopReason::kShutdown, kill_grace);
  });
  StopQueues();
}

LostJobs ShutdownSteps::GiveUp(std::size_t show) {
  const Error error = {
      ErrorCode::kShuttingDown, "the daemon shuts down and will not finish the job", {}};
  std::vector<JobId> lost;
  core_.table.ForEach([&](const Ref<JobEntry>& entry) {
    if (!entry->GiveUp()) return;
    lost.push_back(entry->id());
    recorder_.EndWaits(entry->TakeWaiters(), error);
  });
  for (const auto& pool : Pools()) {
    pool->EndDrains(Fail(ErrorCode::kShuttingDown, "the daemon shuts down"));
  }
  return {.count = lost.size(), .first = FirstOf(std::move(lost), show)};
}

std::vector<JobView> ShutdownSteps::FirstOf(std::vector<JobId> lost, std::size_t show) const {
  const auto end = lost.begin() + static_cast<std::ptrdiff_t>(std::min(show, lost.size()));
  std::partial_sort(lost.begin(), end, lost.end());
  lost.erase(end, lost.end());
  std::vector<JobView> views;
  for (const JobId id : lost) {
    if (const auto entry = core_.table.Find(id)) views.push_back(entry->Lost(core_.clock.Now()));
  }
  return views;
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
