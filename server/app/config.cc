#include "app/config.h"

#include <algorithm>
#include <cmath>

namespace workpool {

std::uint32_t Workers::Resolve(double cores) const {
  if (sizing != Sizing::kFixed) return max;
  if (fixed > 0) return fixed;
  const double wanted = std::ceil(cores * per_core_percent / 100.0);
  return static_cast<std::uint32_t>(std::clamp(wanted, 1.0, static_cast<double>(kMaxWorkers)));
}

bool HandlerSettings::SameCommand(const HandlerSettings& other) const {
  return exec == other.exec && cwd == other.cwd && env == other.env &&
         no_retry_exit == other.no_retry_exit;
}

std::vector<std::string> PoolNames(const Config& config) {
  std::vector<std::string> names;
  for (const PoolSettings& pool : config.pools) names.push_back(pool.name);
  return names;
}

Config DefaultConfig() {
  Config config;
  config.pools.emplace_back().name = "default";
  return config;
}

}  // namespace workpool
