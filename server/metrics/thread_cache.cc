#include "metrics/thread_cache.h"

namespace workpool::metrics {

ThreadCache& ThreadCache::Mine() {
  thread_local ThreadCache cache;
  return cache;
}

std::optional<SeriesWriter> ThreadCache::Find(const SeriesTable& table, const JobLabels& labels) {
  Entry& entry = entries_[labels.key % entries_.size()];
  if (labels.key != 0 && entry.key == labels.key && entry.table == table.id()) return entry.writer;
  Series* const series = table.Find(labels.pool, labels.handler);
  if (series == nullptr) return std::nullopt;
  const SeriesWriter writer = series->WriterFor(slot_);
  if (labels.key != 0) entry = {table.id(), labels.key, writer};
  return writer;
}

}  // namespace workpool::metrics
