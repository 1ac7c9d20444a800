#include "app/config.h"

#include <algorithm>
#include <cmath>

namespace workpool {

std::uint32_t Workers::Resolve(double cores) const {
  if (fixed > 0) return fixed;
  const double wanted = std::ceil(cores * per_core_percent / 100.0);
  return static_cast<std::uint32_t>(std::clamp(wanted, 1.0, static_cast<double>(kMaxWorkers)));
}

Config DefaultConfig() {
  Config config;
  config.pools.emplace_back().name = "default";
  return config;
}

}  // namespace workpool
