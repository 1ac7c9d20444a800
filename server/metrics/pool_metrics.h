// The series that are read from the pools themselves, not counted here.
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/dispatcher.h"
#include "metrics/families.h"

namespace workpool::metrics {

// `pools` must be one reading: then posted = accepted + rejected + waiting in every scrape.
// `unknown_pool_posts` are shown as posted to, and rejected by, the pool "unknown".
void AddPoolFamilies(Families& families, const std::vector<PoolView>& pools,
                     std::uint64_t unknown_pool_posts);

}  // namespace workpool::metrics
