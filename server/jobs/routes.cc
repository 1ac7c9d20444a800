#include "jobs/routes.h"

#include <fmt/format.h>

#include "base/names.h"

namespace workpool {

std::shared_ptr<PoolSlot> Routes::FindPool(std::string_view name) const {
  const auto at = pools.find(name);
  return at == pools.end() ? nullptr : at->second;
}

Result<Route> Routes::Resolve(std::string_view handler, std::string_view pool) const {
  const auto found = handlers.find(handler);
  if (found == handlers.end()) {
    return Fail(ErrorCode::kUnknownHandler,
                fmt::format("handler: there is no handler \"{}\"", Printable(handler)));
  }
  const HandlerConfig& config = *found->second.config;
  if (!pool.empty() && !config.pool.empty() && pool != config.pool) {
    return Fail(ErrorCode::kBadField,
                fmt::format("pool: the handler \"{}\" runs in the pool \"{}\", not in \"{}\"",
                            config.name, config.pool, Printable(pool)));
  }
  std::string_view name = config.pool.empty() ? pool : std::string_view(config.pool);
  if (name.empty()) name = kDefaultPool;
  std::shared_ptr<PoolSlot> slot = FindPool(name);
  if (slot == nullptr) {
    return Fail(ErrorCode::kUnknownPool,
                fmt::format("pool: there is no pool \"{}\"", Printable(name)));
  }
  return Route{std::move(slot), found->second.config, found->second.group};
}

}  // namespace workpool
