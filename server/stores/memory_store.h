// A store that keeps finished jobs in memory, within each pool's retention. Commits at once, on the
// calling thread. Thread safe; never blocks.
#pragma once

#include <memory>

#include "base/clock.h"
#include "jobs/store.h"

namespace workpool {

std::unique_ptr<Store> MakeMemoryStore(const Clock& clock);

}  // namespace workpool
