#include "jobs/dispatcher.h"

#include <utility>

#include "jobs/configurer.h"
#include "jobs/core.h"
#include "jobs/follower.h"
#include "jobs/pool_admin.h"
#include "jobs/poster.h"
#include "jobs/runner.h"
#include "jobs/shutdown.h"
#include "jobs/tuning_loop.h"

namespace workpool {

// Owns the parts, in the order of what they need, and takes the pools' calls.
class Dispatcher::Impl final : public JobOwner {
 public:
  explicit Impl(DispatcherPorts ports)
      : core(ports.clock, ports.store, ports.observer, ports.alarm),
        recorder(core),
        stopper(core, recorder),
        runner(core, recorder, stopper),
        poster(core, stopper, *this),
        follower(core),
        admin(core, recorder),
        tuning(core),
        configurer(core, tuning, std::move(ports.make_pool)),
        shutdown(core, recorder, stopper) {}

  RunStatus Run(JobEntry& entry, Place place) noexcept override { return runner.Run(entry, place); }
  void WaitsAccepted(std::span<Task* const> entries) noexcept override {
    poster.WaitsAccepted(entries);
  }
  void WaitRefused(JobEntry& entry, Refusal why) noexcept override {
    poster.WaitRefused(entry, why);
  }

  Core core;
  Recorder recorder;
  Stopper stopper;
  Runner runner;
  Poster poster;
  Follower follower;
  PoolAdmin admin;
  TuningLoop tuning;
  Configurer configurer;
  ShutdownSteps shutdown;
};

Dispatcher::Dispatcher(DispatcherPorts ports, const DispatcherConfig& config)
    : impl_(std::make_unique<Impl>(std::move(ports))) {
  impl_->configurer.Reconfigure(config);
}

Dispatcher::~Dispatcher() = default;

Ticket Dispatcher::Post(PostRequest request, PostDone done) {
  return impl_->poster.Post(std::move(request), std::move(done));
}

std::vector<Ticket> Dispatcher::PostBatch(std::vector<PostRequest> requests, BatchDone done) {
  return impl_->poster.PostBatch(std::move(requests), std::move(done));
}

void Dispatcher::Abandon(Ticket ticket) { impl_->poster.Abandon(ticket); }

Result<JobView> Dispatcher::Get(JobId id) const { return impl_->follower.Get(id); }

Ticket Dispatcher::Wait(JobId id, FinishedDone done) {
  return impl_->follower.Wait(id, std::move(done));
}

void Dispatcher::CancelWait(Ticket ticket) { impl_->follower.CancelWait(ticket); }

Dispatcher::ListPage Dispatcher::List(const JobFilter& filter, JobId before,
                                      std::size_t limit) const {
  return impl_->follower.List(filter, before, limit);
}

Dispatcher::CancelReport Dispatcher::Cancel(std::span<const JobId> ids) {
  return impl_->stopper.Cancel(ids);
}

Dispatcher::CancelReport Dispatcher::CancelMatching(const JobFilter& filter) {
  return impl_->stopper.CancelMatching(filter);
}

std::vector<PoolView> Dispatcher::Pools() const { return impl_->admin.Views(); }

Result<PoolView> Dispatcher::Pool(const std::string& name) const { return impl_->admin.View(name); }

Result<PoolView> Dispatcher::Resize(const std::string& name, const ResizeRequest& request) {
  return impl_->admin.Resize(name, request);
}

Result<PoolView> Dispatcher::Pause(const std::string& name) { return impl_->admin.Pause(name); }

Result<PoolView> Dispatcher::Resume(const std::string& name) { return impl_->admin.Resume(name); }

Result<void> Dispatcher::Drain(const std::string& name, Told drained) {
  return impl_->admin.Drain(name, std::move(drained));
}

Result<std::uint64_t> Dispatcher::Purge(const std::string& name) {
  return impl_->admin.Purge(name);
}

std::unique_ptr<PoolWatch> Dispatcher::Watch() { return impl_->admin.Watch(); }

std::vector<HandlerConfig> Dispatcher::Handlers() const {
  std::vector<HandlerConfig> handlers;
  for (const auto& [name, handler] : impl_->core.routes.Get()->handlers) {
    handlers.push_back(*handler);
  }
  return handlers;
}

std::uint64_t Dispatcher::unknown_pool_posts() const { return impl_->core.unknown_pool_posts; }

std::vector<std::string> Dispatcher::Reconfigure(const DispatcherConfig& config) {
  return impl_->configurer.Reconfigure(config);
}

void Dispatcher::Tick() {
  for (DeadlineQueue::Action& due : impl_->core.deadlines.TakeDue(impl_->core.clock.Now())) due();
}

void Dispatcher::StopAccepting(bool run_queued, std::move_only_function<void()> idle) {
  impl_->shutdown.StopAccepting(run_queued, std::move(idle));
}

void Dispatcher::StopHandlers(std::chrono::nanoseconds kill_grace) {
  impl_->shutdown.StopHandlers(kill_grace);
}

LostJobs Dispatcher::GiveUp(std::size_t show) { return impl_->shutdown.GiveUp(show); }

bool Dispatcher::JoinPools(SteadyTime deadline) { return impl_->shutdown.JoinPools(deadline); }

}  // namespace workpool
