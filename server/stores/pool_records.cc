#include "stores/pool_records.h"

namespace workpool {

std::uint64_t PoolRecords::Trim(const Retention& retention, SteadyTime now,
                                std::vector<JobId>& dropped) {
  std::uint64_t early = 0;
  while (!records_.empty()) {
    const Record& oldest = records_.front();
    const bool old = now - oldest.kept_since >= retention.age;
    if (!old && records_.size() <= retention.jobs && bytes_ <= retention.bytes) break;
    if (!old) ++early;
    dropped.push_back(oldest.id);
    bytes_ -= oldest.bytes;
    records_.pop_front();
  }
  return early;
}

std::optional<SteadyTime> PoolRecords::NextExpiry(const Retention& retention) const {
  if (records_.empty()) return std::nullopt;
  return records_.front().kept_since +
         std::chrono::duration_cast<SteadyTime::duration>(retention.age);
}

}  // namespace workpool
