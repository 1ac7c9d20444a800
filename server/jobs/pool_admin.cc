#include "jobs/pool_admin.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/names.h"

namespace workpool {

// --- looking -------------------------------------------------------------------------------------

PoolView PoolAdmin::ViewOf(const PoolSlot& pool) const {
  const SteadyTime now = core_.clock.Now();
  PoolView view;
  view.configured = pool.sizing().Configured();
  view.stats = pool.Read();
  view.tuning = pool.tuning().View();
  view.workers_resized = pool.sizing().Current().workers_resized;
  view.finished = pool.finished;
  view.invalid_posts = pool.invalid_posts;
  view.deleted = pool.deleted;
  view.dead = core_.store.Dead(pool.name());
  view.removed = pool.removed();
  view.workers_stuck = pool.stuck;
  if (const auto until = pool.sizing().NextExpiry()) {
    view.resized_until =
        core_.clock.WallNow() + std::chrono::duration_cast<WallTime::duration>(*until - now);
  }
  if (view.stats.oldest_queued) {
    view.oldest_queued = std::max<std::chrono::nanoseconds>(now - *view.stats.oldest_queued, {});
  }
  return view;
}

std::vector<PoolView> PoolAdmin::Views() const {
  std::vector<PoolView> views;
  for (const auto& [name, pool] : core_.routes.Get()->pools) views.push_back(ViewOf(*pool));
  return views;
}

Result<std::shared_ptr<PoolSlot>> PoolAdmin::Find(const std::string& name) const {
  if (std::shared_ptr<PoolSlot> pool = core_.routes.Get()->FindPool(name)) return pool;
  return Fail(ErrorCode::kUnknownPool,
              fmt::format("pool: there is no pool \"{}\"", Printable(name)));
}

Result<PoolView> PoolAdmin::View(const std::string& name) const {
  const auto pool = Find(name);
  if (!pool) return std::unexpected(pool.error());
  return ViewOf(**pool);
}

// --- changing ------------------------------------------------------------------------------------

Result<PoolView> PoolAdmin::Resize(const std::string& name, const ResizeRequest& request) {
  const auto pool = Find(name);
  if (!pool) return std::unexpected(pool.error());
  if (const Result<void> checked = CheckResize(request); !checked) {
    return std::unexpected(checked.error());
  }
  (*pool)->sizing().Override(request, core_.clock.Now());
  (*pool)->ApplySize();
  ArmExpiry(*pool);
  return ViewOf(**pool);
}

void PoolAdmin::ArmExpiry(const std::shared_ptr<PoolSlot>& pool) {
  const std::optional<SteadyTime> next = pool->sizing().NextExpiry();
  if (!next) return;
  // One that a later request has made pointless finds nothing to do.
  core_.deadlines.Add(*next, [this, weak = std::weak_ptr(pool)] {
    const auto slot = weak.lock();
    if (slot == nullptr || !slot->sizing().Expire(core_.clock.Now())) return;
    slot->ApplySize();
    ArmExpiry(slot);
  });
}

Result<PoolView> PoolAdmin::Pause(const std::string& name) {
  const auto pool = Find(name);
  if (!pool) return std::unexpected(pool.error());
  const PoolStats stats = (*pool)->tasks().Read();
  if (stats.draining || stats.closed) {
    return Fail(ErrorCode::kWrongState,
                fmt::format("the pool \"{}\" is draining; resume it first", name));
  }
  (*pool)->tasks().Pause();
  return ViewOf(**pool);
}

Result<PoolView> PoolAdmin::Resume(const std::string& name) {
  const auto pool = Find(name);
  if (!pool) return std::unexpected(pool.error());
  if (core_.closing) return Fail(ErrorCode::kWrongState, "the daemon shuts down");
  if ((*pool)->removed()) {
    return Fail(ErrorCode::kWrongState,
                fmt::format("the pool \"{}\" has been taken out of the config", name));
  }
  (*pool)->tasks().Resume();
  (*pool)->EndDrains(
      Fail(ErrorCode::kWrongState, fmt::format("the pool \"{}\" was resumed", name)));
  return ViewOf(**pool);
}

Result<void> PoolAdmin::Drain(const std::string& name, Told drained) {
  const auto pool = Find(name);
  if (!pool) return std::unexpected(pool.error());
  (*pool)->tasks().Drain();
  (*pool)->AwaitDrain(std::move(drained));
  return {};
}

Result<std::uint64_t> PoolAdmin::Purge(const std::string& name) {
  const auto pool = Find(name);
  if (!pool) return std::unexpected(pool.error());
  std::vector<Ref<JobEntry>> entries;
  for (Task* task : (*pool)->tasks().TakeQueued()) {
    entries.push_back(Ref(static_cast<JobEntry*>(task)));
  }
  const std::uint64_t count = entries.size();
  recorder_.Delete(std::move(entries));
  return count;
}

// --- watching ------------------------------------------------------------------------------------

// Holds no pool: one that has been removed must be able to go.
class PoolAdmin::WatchImpl final : public PoolWatch {
 public:
  explicit WatchImpl(const PoolAdmin& admin) : admin_(admin) {
    for (const auto& [name, pool] : admin_.core_.routes.Get()->pools) WindowOf(pool);
  }
  ~WatchImpl() override {
    for (auto& [slot, window] : windows_) {
      if (const auto pool = window->pool.lock()) pool->tasks().RemoveWindow(window->peaks);
    }
  }

  std::vector<PoolView> Read() override {
    std::erase_if(windows_, [](const auto& item) { return item.second->pool.expired(); });
    std::vector<PoolView> views;
    for (const auto& [name, pool] : admin_.core_.routes.Get()->pools) {
      PoolView view = admin_.ViewOf(*pool);
      view.interval = pool->tasks().TakeWindow(WindowOf(pool).peaks);
      views.push_back(std::move(view));
    }
    return views;
  }

 private:
  struct Window {
    std::weak_ptr<PoolSlot> pool;
    PeakWindow peaks;
  };

  Window& WindowOf(const std::shared_ptr<PoolSlot>& pool) {
    std::unique_ptr<Window>& window = windows_[pool.get()];
    if (window == nullptr || window->pool.expired()) {
      window = std::make_unique<Window>(Window{pool, {}});
      pool->tasks().AddWindow(window->peaks);
    }
    return *window;
  }

  const PoolAdmin& admin_;
  std::map<const PoolSlot*, std::unique_ptr<Window>> windows_;
};

std::unique_ptr<PoolWatch> PoolAdmin::Watch() { return std::make_unique<WatchImpl>(*this); }

}  // namespace workpool
