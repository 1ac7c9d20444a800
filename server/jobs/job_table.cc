#include "jobs/job_table.h"

#include <algorithm>
#include <functional>

namespace workpool {
namespace {

JobId IdOf(const JobTable::EntryPtr& entry) { return entry->id(); }

}  // namespace

void JobTable::Insert(EntryPtr entry) {
  const JobId id = IdOf(entry);
  Shard& shard = shards_[ShardOf(id)];
  MutexLock lock(shard.mutex);
  shard.jobs.Insert(id, std::move(entry));
}

void JobTable::Insert(std::vector<EntryPtr> entries) {
  for (std::size_t i = 0; i < entries.size();) {
    Shard& shard = shards_[ShardOf(IdOf(entries[i]))];
    MutexLock lock(shard.mutex);
    for (; i < entries.size() && &shards_[ShardOf(IdOf(entries[i]))] == &shard; ++i) {
      const JobId id = IdOf(entries[i]);
      shard.jobs.Insert(id, std::move(entries[i]));
    }
  }
}

JobTable::EntryPtr JobTable::Find(JobId id) const {
  const Shard& shard = shards_[ShardOf(id)];
  MutexLock lock(shard.mutex);
  return shard.jobs.Find(id);
}

JobTable::EntryPtr JobTable::Take(JobId id) {
  Shard& shard = shards_[ShardOf(id)];
  MutexLock lock(shard.mutex);
  return shard.jobs.Take(id);
}

std::vector<JobTable::EntryPtr> JobTable::Stretch(const Shard& shard, JobId before) const {
  std::vector<EntryPtr> entries;
  entries.reserve(kStretch);
  MutexLock lock(shard.mutex);
  shard.jobs.Descend(before, [&entries](JobId, const EntryPtr& entry) {
    entries.push_back(entry);
    return entries.size() < kStretch;
  });
  return entries;
}

void JobTable::CollectFrom(const Shard& shard, const JobFilter& filter, JobId before,
                           std::size_t limit, std::vector<EntryPtr>& found) const {
  std::size_t taken = 0;
  for (;;) {
    std::vector<EntryPtr> stretch = Stretch(shard, before);
    for (EntryPtr& entry : stretch) {
      before = IdOf(entry);
      if (!entry->Matches(filter)) continue;
      found.push_back(std::move(entry));
      if (++taken == limit) return;
    }
    if (stretch.size() < kStretch || before <= 1) return;
  }
}

std::vector<JobTable::EntryPtr> JobTable::Matching(const JobFilter& filter, JobId before,
                                                   std::size_t limit) const {
  std::vector<EntryPtr> found;
  for (const Shard& shard : shards_) CollectFrom(shard, filter, before, limit, found);
  std::ranges::sort(found, std::greater<>(), IdOf);
  if (found.size() > limit) found.resize(limit);
  return found;
}

}  // namespace workpool
