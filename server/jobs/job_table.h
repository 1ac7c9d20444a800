// Every accepted job that has not finished, by id. Sharded; thread safe; never blocks for long.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/mutex.h"
#include "jobs/id_map.h"
#include "jobs/job_entry.h"

namespace workpool {

class JobTable {
 public:
  using EntryPtr = Ref<JobEntry>;

  void Insert(EntryPtr entry);
  // Neighbouring ids fall into one shard and are put in under one lock.
  void Insert(std::vector<EntryPtr> entries);
  EntryPtr Find(JobId id) const;
  // The table's reference; null if it is not there.
  EntryPtr Take(JobId id);

  // Those that match now, newest first, below `before` (0: all), at most `limit`.
  std::vector<EntryPtr> Matching(const JobFilter& filter, JobId before, std::size_t limit) const;
  // Calls `visit` with each, in no order and with no lock held: unlike a list in order, it asks
  // each job only once, which of a million is a matter of seconds.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const Shard& shard : shards_) {
      JobId before = 0;
      for (std::vector<EntryPtr> stretch; !(stretch = Stretch(shard, before)).empty();) {
        for (const EntryPtr& entry : stretch) visit(entry);
        before = stretch.back()->id();
        if (before <= 1) break;
      }
    }
  }

 private:
  static constexpr std::size_t kShards = 32;

  struct alignas(64) Shard {
    mutable Mutex mutex;
    IdMap<EntryPtr> jobs GUARDED_BY(mutex);
  };

  static constexpr std::size_t kStretch = 512;

  static std::size_t ShardOf(JobId id) { return id / IdMap<EntryPtr>::kBlock % kShards; }
  // A stretch of one shard, without asking the entries, which have locks of their own.
  std::vector<EntryPtr> Stretch(const Shard& shard, JobId before) const;
  void CollectFrom(const Shard& shard, const JobFilter& filter, JobId before, std::size_t limit,
                   std::vector<EntryPtr>& found) const;

  std::array<Shard, kShards> shards_;
};

}  // namespace workpool
