// What a thread remembers of its look-ups, so that counting a job costs two comparisons instead of
// hashing two names.
#pragma once

#include <array>
#include <cstdint>

#include "jobs/observer.h"
#include "metrics/series.h"
#include "metrics/series_table.h"
#include "metrics/thread_slot.h"

namespace workpool::metrics {

// Each belongs to one thread.
class ThreadCache {
 public:
  ThreadCache();
  ~ThreadCache();
  ThreadCache(const ThreadCache&) = delete;
  ThreadCache& operator=(const ThreadCache&) = delete;

  static ThreadCache& Mine() {
    thread_local ThreadCache cache;
    return cache;
  }

  // The writer of the labels' series in `table`, good until the next call; null if it has none.
  SeriesWriter* Find(const SeriesTable& table, const JobLabels& labels) {
    Entry& entry = entries_[labels.key % entries_.size()];
    const bool known = labels.key != 0 && entry.key == labels.key && entry.table == table.id();
    return known || LookUp(table, labels, entry) ? &entry.writer : nullptr;
  }

 private:
  struct Entry {
    std::uint64_t table = 0;  // SeriesTable::id; 0 is none's
    std::uint64_t key = 0;    // of the labels
    SeriesWriter writer;
  };

  // False, and the entry stays, if there is none.
  bool LookUp(const SeriesTable& table, const JobLabels& labels, Entry& entry);

  ThreadSlot slot_;
  std::array<Entry, 16> entries_{};
};

}  // namespace workpool::metrics
