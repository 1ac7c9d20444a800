#include "stores/memory_store.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "base/log.h"
#include "base/mutex.h"
#include "jobs/id_map.h"
#include "stores/pool_records.h"

namespace workpool {
namespace {

using ViewPtr = std::shared_ptr<const JobView>;

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(const Clock& clock) : clock_(clock) {}

  std::string_view kind() const override { return "memory"; }

  JobId TakeIds(std::uint64_t count) override { return last_id_.fetch_add(count) + 1; }
  JobId LastId() const override { return last_id_.load(); }

  void Accept(std::span<const std::shared_ptr<const Job>>, Committed committed) override {
    committed({});
  }
  void Forget(std::span<const JobId>, Committed committed) override { committed({}); }
  void Finish(ViewPtr view, Committed committed) override;

  ViewPtr Find(JobId id) const override {
    MutexLock lock(mutex_);
    return records_.Find(id);
  }
  std::vector<ViewPtr> List(const JobFilter& filter, JobId before,
                            std::size_t limit) const override;

  void SetRetention(const std::string& pool, const PoolRetention& retention) override;
  std::optional<SteadyTime> Tick(SteadyTime now) override;
  DeadCounts Dead(const std::string& pool) const override;

 private:
  struct Pool {
    PoolRetention retention;
    PoolRecords finished;
    PoolRecords dead;
    std::uint64_t dead_dropped = 0;
  };
  // Taken out under the lock, destroyed and logged after it.
  struct Dropped {
    std::vector<JobId> ids;
    std::vector<ViewPtr> records;
    std::vector<ViewPtr> dead_early;
  };

  void Trim(Pool& pool, SteadyTime now, Dropped& dropped) REQUIRES(mutex_);
  std::vector<ViewPtr> Stretch(JobId before) const;
  static void LogEarly(const Dropped& dropped);

  const Clock& clock_;
  std::atomic<JobId> last_id_{0};
  mutable Mutex mutex_;
  IdMap<ViewPtr> records_ GUARDED_BY(mutex_);
  std::map<std::string, Pool, std::less<>> pools_ GUARDED_BY(mutex_);
};

void MemoryStore::Finish(ViewPtr view, Committed committed) {
  const SteadyTime now = clock_.Now();
  const std::uint64_t bytes = BytesOf(*view);
  const JobId id = view->job->id;
  Dropped dropped;
  {
    MutexLock lock(mutex_);
    Pool& pool = pools_[view->job->pool];
    (view->state == JobState::kDead ? pool.dead : pool.finished).Add(id, bytes, now);
    records_.Insert(id, std::move(view));
    Trim(pool, now, dropped);
  }
  LogEarly(dropped);
  committed({});
}

void MemoryStore::Trim(Pool& pool, SteadyTime now, Dropped& dropped) {
  dropped.ids.clear();
  pool.finished.Trim(pool.retention.finished, now, dropped.ids);
  for (const JobId id : dropped.ids) dropped.records.push_back(records_.Take(id));

  dropped.ids.clear();
  const std::uint64_t early = pool.dead.Trim(pool.retention.dead, now, dropped.ids);
  pool.dead_dropped += early;
  // Those that were too old come first.
  const std::size_t old = dropped.ids.size() - static_cast<std::size_t>(early);
  for (std::size_t i = 0; i < dropped.ids.size(); ++i) {
    (i < old ? dropped.records : dropped.dead_early).push_back(records_.Take(dropped.ids[i]));
  }
}

void MemoryStore::LogEarly(const Dropped& dropped) {
  for (const ViewPtr& view : dropped.dead_early) {
    Log(LogLevel::kWarn, "a dead job is dropped before its time: too many are kept",
        {{"job", std::uint64_t{view->job->id}},
         {"pool", std::string_view(view->job->pool)},
         {"handler", std::string_view(view->job->handler)},
         {"attempt", std::int64_t{view->attempt}},
         {"caller", std::string_view(view->job->caller)}});
  }
}

std::vector<ViewPtr> MemoryStore::Stretch(JobId before) const {
  constexpr std::size_t kStretch = 1024;
  std::vector<ViewPtr> views;
  views.reserve(kStretch);
  MutexLock lock(mutex_);
  records_.Descend(before, [&views](JobId, const ViewPtr& view) {
    views.push_back(view);
    return views.size() < kStretch;
  });
  return views;
}

std::vector<ViewPtr> MemoryStore::List(const JobFilter& filter, JobId before,
                                       std::size_t limit) const {
  std::vector<ViewPtr> found;
  if (limit == 0) return found;
  for (;;) {
    const std::vector<ViewPtr> stretch = Stretch(before);
    if (stretch.empty()) return found;
    for (const ViewPtr& view : stretch) {
      if (!filter.Matches(*view)) continue;
      found.push_back(view);
      if (found.size() == limit) return found;
    }
    before = stretch.back()->job->id;
    if (before == 1) return found;
  }
}

void MemoryStore::SetRetention(const std::string& pool, const PoolRetention& retention) {
  Dropped dropped;
  {
    MutexLock lock(mutex_);
    Pool& kept = pools_[pool];
    kept.retention = retention;
    Trim(kept, clock_.Now(), dropped);
  }
  LogEarly(dropped);
}

std::optional<SteadyTime> MemoryStore::Tick(SteadyTime now) {
  Dropped dropped;
  std::optional<SteadyTime> next;
  {
    MutexLock lock(mutex_);
    for (auto& [name, pool] : pools_) {
      Trim(pool, now, dropped);
      for (const auto expiry : {pool.finished.NextExpiry(pool.retention.finished),
                                pool.dead.NextExpiry(pool.retention.dead)}) {
        if (expiry && (!next || *expiry < *next)) next = expiry;
      }
    }
  }
  LogEarly(dropped);
  return next;
}

Store::DeadCounts MemoryStore::Dead(const std::string& pool) const {
  MutexLock lock(mutex_);
  const auto at = pools_.find(pool);
  if (at == pools_.end()) return {};
  return {at->second.dead.count(), at->second.dead_dropped};
}

}  // namespace

std::unique_ptr<Store> MakeMemoryStore(const Clock& clock) {
  return std::make_unique<MemoryStore>(clock);
}

}  // namespace workpool
