#include "jobs/routes.h"

#include <fmt/format.h>

#include <atomic>
#include <vector>

#include "base/name_list.h"
#include "base/names.h"

namespace workpool {

std::uint64_t NewLabelsKey() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::shared_ptr<PoolSlot> Routes::FindPool(std::string_view name) const {
  const auto at = pools.find(name);
  return at == pools.end() ? nullptr : at->second;
}

std::string Routes::PoolList() const {
  std::vector<std::string_view> names;
  for (const auto& [name, pool] : pools) {
    if (!pool->removed()) names.push_back(name);  // else it is kept for the jobs that it has
  }
  return NameList(names);
}

void Routes::Index() {
  routes_.clear();
  for (const auto& [name, handler] : handlers) {
    for (const auto& [pool_name, pool] : pools) {
      if (!handler->pool.empty() && handler->pool != pool_name) continue;
      routes_[name].emplace(pool_name, MakeRef<const Route>(pool, handler));
    }
  }
}

Result<Ref<const Route>> Routes::Resolve(std::string_view handler, std::string_view pool) const {
  const auto found = handlers.find(handler);
  if (found == handlers.end()) {
    return Fail(ErrorCode::kUnknownHandler,
                fmt::format("handler: there is no handler \"{}\"", Printable(handler)));
  }
  const HandlerConfig& config = *found->second;
  if (!pool.empty() && !config.pool.empty() && pool != config.pool) {
    return Fail(ErrorCode::kBadField,
                fmt::format("pool: the handler \"{}\" runs in the pool \"{}\", not in \"{}\"",
                            config.name, config.pool, Printable(pool)));
  }
  std::string_view name = config.pool.empty() ? pool : std::string_view(config.pool);
  if (name.empty()) name = kDefaultPool;
  if (const auto by_name = routes_.find(handler); by_name != routes_.end()) {
    const auto route = by_name->second.find(name);
    if (route != by_name->second.end()) return route->second;
  }
  return Fail(
      ErrorCode::kUnknownPool,
      pool.empty() && config.pool.empty()
          ? fmt::format("pool: must be one of {}: the handler \"{}\" names none and there is "
                        "no pool \"{}\"",
                        PoolList(), config.name, name)
          : fmt::format("pool: there is no pool \"{}\"; the pools are {}", Printable(name),
                        PoolList()));
}

}  // namespace workpool
