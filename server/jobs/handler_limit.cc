#include "jobs/handler_limit.h"

#include <utility>

#include "jobs/pool_slot.h"

namespace workpool {

void HandlerLimit::SetPools(std::vector<std::weak_ptr<PoolSlot>> pools) {
  const MutexLock lock(mutex_);
  pools_ = std::move(pools);
}

void HandlerLimit::Serve() {
  std::vector<std::weak_ptr<PoolSlot>> pools;
  {
    const MutexLock lock(mutex_);
    pools = pools_;
  }
  for (const auto& pool : pools) {
    if (const auto slot = pool.lock()) slot->tasks().Serve();
  }
}

void HandlerLimit::Return() {
  if (Free()) Serve();
}

}  // namespace workpool
