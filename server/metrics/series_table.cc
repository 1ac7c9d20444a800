#include "metrics/series_table.h"

#include <atomic>
#include <bit>
#include <functional>
#include <utility>

namespace workpool::metrics {
namespace {

std::uint64_t NextId() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

std::size_t HashOf(std::string_view pool, std::string_view handler) {
  const std::hash<std::string_view> hash;
  return hash(pool) * 31 + hash(handler);
}

}  // namespace

SeriesTable::SeriesTable(std::vector<Series*> series)
    : id_(NextId()), all_(std::move(series)), slots_(std::bit_ceil(2 * all_.size() + 2)) {
  for (Series* one : all_) {
    std::size_t slot = HashOf(one->pool(), one->handler()) & (slots_.size() - 1);
    while (slots_[slot] != nullptr) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = one;
  }
}

Series* SeriesTable::Find(std::string_view pool, std::string_view handler) const {
  Series* found = FindExact(pool, handler);
  return found != nullptr ? found : FindExact(pool, kOtherHandler);
}

Series* SeriesTable::FindExact(std::string_view pool, std::string_view handler) const {
  std::size_t slot = HashOf(pool, handler) & (slots_.size() - 1);
  while (slots_[slot] != nullptr) {
    Series* const here = slots_[slot];
    if (here->handler() == handler && here->pool() == pool) return here;
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return nullptr;
}

}  // namespace workpool::metrics
