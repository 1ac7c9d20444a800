// The order in which one kind of record of one pool was kept, and their sums: which go first when a
// bound is exceeded. Not thread safe.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "jobs/store.h"

namespace workpool {

class PoolRecords {
 public:
  void Add(JobId id, std::uint64_t bytes, SteadyTime now) {
    records_.push_back({id, bytes, now});
    bytes_ += bytes;
  }

  std::uint64_t count() const { return records_.size(); }

  // Takes out what exceeds the bounds, oldest first, and appends it to `dropped`. Answers how many
  // of those were not yet too old.
  std::uint64_t Trim(const Retention& retention, SteadyTime now, std::vector<JobId>& dropped);

  // When the oldest will be too old.
  std::optional<SteadyTime> NextExpiry(const Retention& retention) const;

 private:
  struct Record {
    JobId id;
    std::uint64_t bytes;
    SteadyTime kept_since;
  };
  std::deque<Record> records_;
  std::uint64_t bytes_ = 0;
};

}  // namespace workpool
