#include "stores/memory_store.h"

#include <atomic>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "jobs/id_map.h"
#include "jobs/job_log.h"
#include "stores/record_log.h"

namespace workpool {
namespace {

using ViewPtr = std::shared_ptr<const JobView>;

// How many records are looked at in a list under one lock.
constexpr std::size_t kStretch = 1024;

bool IsOld(const Record& record, const Retention& retention, SteadyTime now) {
  return now - record.kept_since() >= retention.age;
}

// The oldest of `log`, if there is one.
bool MustGo(const RecordLog& log, const Retention& retention, SteadyTime now) {
  if (log.empty()) return false;
  return log.count() > retention.jobs || log.bytes() > retention.bytes ||
         IsOld(log.front(), retention, now);
}

std::optional<SteadyTime> NextExpiry(const RecordLog& log, const Retention& retention) {
  if (log.empty()) return std::nullopt;
  return log.front().kept_since() + std::chrono::duration_cast<SteadyTime::duration>(retention.age);
}

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(const Clock& clock) : clock_(clock) {}

  std::string_view kind() const override { return "memory"; }

  JobId TakeIds(std::uint64_t count) override { return last_id_.fetch_add(count) + 1; }
  JobId LastId() const override { return last_id_.load(); }

  bool KeepsAccepted() const override { return false; }
  void Accept(std::span<const Job>, Committed committed) override { committed({}); }
  void Forget(std::span<const JobId>, Committed committed) override { committed({}); }
  void Finish(ViewPtr view, Committed committed) override {
    FinishAtOnce(*view, clock_.Now());
    committed({});
  }
  bool FinishAtOnce(const JobView& view, SteadyTime now) override;

  ViewPtr Find(JobId id) const override {
    MutexLock lock(mutex_);
    const Record* const record = records_.Find(id);
    return record == nullptr ? nullptr : record->View();
  }
  std::vector<ViewPtr> List(const JobFilter& filter, JobId before,
                            std::size_t limit) const override;

  void SetRetention(const std::string& pool, const PoolRetention& retention) override;
  std::optional<SteadyTime> Tick(SteadyTime now) override;
  DeadCounts Dead(const std::string& pool) const override;

 private:
  struct Pool {
    PoolRetention retention;
    RecordLog finished;
    RecordLog dead;
    std::uint64_t dead_dropped = 0;
  };
  // Dropped under the lock, logged after it.
  using DeadEarly = std::vector<ViewPtr>;

  Pool& PoolOf(std::string_view name) REQUIRES(mutex_);
  void Trim(Pool& pool, SteadyTime now, DeadEarly& dead_early) REQUIRES(mutex_);
  static void LogEarly(const DeadEarly& dead_early);
  // Of the records below `before`, newest first, so many as may be looked at under one lock; those
  // that match, at most `limit`. The lowest id that was looked at; 0 if there is none below it.
  JobId ListStretch(const JobFilter& filter, JobId before, std::size_t limit,
                    std::vector<ViewPtr>& found) const;

  using Pools = std::map<std::string, Pool, std::less<>>;

  const Clock& clock_;
  std::atomic<JobId> last_id_{0};
  mutable Mutex mutex_;
  IdMap<const Record*> records_ GUARDED_BY(mutex_);
  Pools pools_ GUARDED_BY(mutex_);  // grows only
  // Where a job was kept last: mostly the next one belongs there too.
  Pools::iterator recent_ GUARDED_BY(mutex_) = pools_.end();
};

bool MemoryStore::FinishAtOnce(const JobView& view, SteadyTime now) {
  DeadEarly dead_early;
  {
    MutexLock lock(mutex_);
    Pool& pool = PoolOf(view.job->pool);
    RecordLog& log = view.state == JobState::kDead ? pool.dead : pool.finished;
    records_.Insert(view.job->id, &log.Add(view, now));
    Trim(pool, now, dead_early);
  }
  LogEarly(dead_early);
  return true;
}

MemoryStore::Pool& MemoryStore::PoolOf(std::string_view name) {
  if (recent_ == pools_.end() || recent_->first != name) {
    recent_ = pools_.find(name);
    if (recent_ == pools_.end()) recent_ = pools_.try_emplace(std::string(name)).first;
  }
  return recent_->second;
}

void MemoryStore::Trim(Pool& pool, SteadyTime now, DeadEarly& dead_early) {
  while (MustGo(pool.finished, pool.retention.finished, now)) {
    records_.Take(pool.finished.front().id());
    pool.finished.PopFront();
  }
  while (MustGo(pool.dead, pool.retention.dead, now)) {
    const Record& oldest = pool.dead.front();
    if (!IsOld(oldest, pool.retention.dead, now)) {
      ++pool.dead_dropped;
      dead_early.push_back(oldest.View());
    }
    records_.Take(oldest.id());
    pool.dead.PopFront();
  }
}

void MemoryStore::LogEarly(const DeadEarly& dead_early) {
  for (const ViewPtr& view : dead_early) {
    LogJob(LogLevel::kWarn, "a dead job is dropped before its time: too many are kept", *view->job,
           view->attempt);
  }
}

JobId MemoryStore::ListStretch(const JobFilter& filter, JobId before, std::size_t limit,
                               std::vector<ViewPtr>& found) const {
  std::size_t looked_at = 0;
  JobId lowest = 0;
  MutexLock lock(mutex_);
  records_.Descend(before, [&](JobId id, const Record* record) {
    lowest = id;
    if (record->Matches(filter)) found.push_back(record->View());
    return ++looked_at < kStretch && found.size() < limit;
  });
  return looked_at < kStretch && found.size() < limit ? 0 : lowest;
}

std::vector<ViewPtr> MemoryStore::List(const JobFilter& filter, JobId before,
                                       std::size_t limit) const {
  std::vector<ViewPtr> found;
  while (found.size() < limit) {
    before = ListStretch(filter, before, limit, found);
    if (before <= 1) break;
  }
  return found;
}

void MemoryStore::SetRetention(const std::string& pool, const PoolRetention& retention) {
  DeadEarly dead_early;
  {
    MutexLock lock(mutex_);
    Pool& kept = pools_[pool];
    kept.retention = retention;
    Trim(kept, clock_.Now(), dead_early);
  }
  LogEarly(dead_early);
}

std::optional<SteadyTime> MemoryStore::Tick(SteadyTime now) {
  DeadEarly dead_early;
  std::optional<SteadyTime> next;
  {
    MutexLock lock(mutex_);
    for (auto& [name, pool] : pools_) {
      Trim(pool, now, dead_early);
      for (const auto expiry : {NextExpiry(pool.finished, pool.retention.finished),
                                NextExpiry(pool.dead, pool.retention.dead)}) {
        if (expiry && (!next || *expiry < *next)) next = expiry;
      }
    }
  }
  LogEarly(dead_early);
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
