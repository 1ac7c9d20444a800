#include "metrics/series.h"

#include <memory>
#include <utility>

namespace workpool::metrics {
namespace {

template <std::size_t N>
void AddTo(const std::array<Count, N>& counts, std::array<std::uint64_t, N>& totals) {
  for (std::size_t i = 0; i < N; ++i) totals[i] += counts[i].Read();
}

}  // namespace

Series::Series(std::string pool, std::string handler)
    : pool_(std::move(pool)), handler_(std::move(handler)) {}

Series::~Series() {
  for (const auto& shard : shards_) delete shard.load();
}

SeriesWriter Series::WriterFor(const ThreadSlot& slot) {
  std::atomic<SeriesShard*>& place = shards_[slot.number()];
  SeriesShard* shard = place.load(std::memory_order_acquire);
  if (shard == nullptr) {
    auto fresh = std::make_unique<SeriesShard>();
    // Of threads that share the slot the first wins.
    if (place.compare_exchange_strong(shard, fresh.get())) shard = fresh.release();
  }
  return {*shard, slot.writers()};
}

SeriesTotals Series::Totals() const {
  SeriesTotals totals;
  for (const auto& place : shards_) {
    const SeriesShard* const shard = place.load(std::memory_order_acquire);
    if (shard == nullptr) continue;
    AddTo(shard->attempts, totals.attempts);
    AddTo(shard->finished, totals.finished);
    shard->queue_wait.AddTo(totals.queue_wait);
    shard->run.AddTo(totals.run);
  }
  return totals;
}

}  // namespace workpool::metrics
