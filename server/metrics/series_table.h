// Finds the series of a pair of pool and handler. Immutable, so that many threads look things up in
// it without a lock; a reload makes a new one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "metrics/series.h"

namespace workpool::metrics {

inline constexpr std::string_view kOtherHandler = "other";

class SeriesTable {
 public:
  // `series` must outlive the table, and have no pair twice.
  explicit SeriesTable(std::vector<Series*> series);

  // The pair's own series, else its pool's "other", else nullptr.
  Series* Find(std::string_view pool, std::string_view handler) const;

  const std::vector<Series*>& all() const { return all_; }
  // No other table of this process has, or had, the same; never 0.
  std::uint64_t id() const { return id_; }

 private:
  Series* FindExact(std::string_view pool, std::string_view handler) const;

  const std::uint64_t id_;
  const std::vector<Series*> all_;
  std::vector<Series*> slots_;  // open addressing; a power of two, at most half full
};

}  // namespace workpool::metrics
