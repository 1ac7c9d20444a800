#include "metrics/thread_cache.h"

namespace workpool::metrics {

ThreadCache& ThreadCache::Mine() {
  thread_local ThreadCache cache;
  return cache;
}

ThreadCache::Entry& ThreadCache::EntryOf(const JobLabels& labels) {
  const auto pool = reinterpret_cast<std::uintptr_t>(labels.pool.data());
  const auto handler = reinterpret_cast<std::uintptr_t>(labels.handler.data());
  const std::uintptr_t mixed = pool + 3 * handler;
  return entries_[((mixed >> 4) ^ (mixed >> 8)) % entries_.size()];
}

std::optional<SeriesWriter> ThreadCache::Find(const SeriesTable& table, const JobLabels& labels) {
  Entry& entry = EntryOf(labels);
  if (entry.table == table.id() && entry.series->handler() == labels.handler &&
      entry.series->pool() == labels.pool) {
    return entry.writer;
  }
  Series* const series = table.Find(labels.pool, labels.handler);
  if (series == nullptr) return std::nullopt;
  entry = {table.id(), series, series->WriterFor(slot_)};
  return entry.writer;
}

}  // namespace workpool::metrics
