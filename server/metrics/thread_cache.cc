#include "metrics/thread_cache.h"

namespace workpool::metrics {

ThreadCache::ThreadCache() = default;

ThreadCache::~ThreadCache() = default;

bool ThreadCache::LookUp(const SeriesTable& table, const JobLabels& labels, Entry& entry) {
  Series* const series = table.Find(labels.pool, labels.handler);
  if (series == nullptr) return false;
  entry = {table.id(), labels.key, series->WriterFor(slot_)};
  return true;
}

}  // namespace workpool::metrics
