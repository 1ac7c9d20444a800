// What a thread remembers of its look-ups, so that counting a job costs two comparisons instead of
// hashing two names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "jobs/observer.h"
#include "metrics/series.h"
#include "metrics/series_table.h"
#include "metrics/thread_slot.h"

namespace workpool::metrics {

// Each belongs to one thread.
class ThreadCache {
 public:
  static ThreadCache& Mine();

  // The writer of the labels' series in `table`, or nothing if it has none.
  std::optional<SeriesWriter> Find(const SeriesTable& table, const JobLabels& labels);

 private:
  struct Entry {
    std::uint64_t table = 0;  // SeriesTable::id; 0 is none's
    std::uint64_t key = 0;    // of the labels
    SeriesWriter writer;
  };

  ThreadSlot slot_;
  std::array<Entry, 16> entries_{};
};

}  // namespace workpool::metrics
