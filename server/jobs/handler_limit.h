// How many jobs of a handler may be active: in its pool, or in two when a reload has moved it.
// Thread safe.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "pool/active_limit.h"

namespace workpool {

class PoolSlot;

class HandlerLimit final : public ActiveLimit {
 public:
  using ActiveLimit::ActiveLimit;

  // Where the handler's jobs are counted. What becomes free is offered to them in this order, so
  // jobs of a pool that the handler has left go before those of the one that it is in now, which
  // may never run out of them.
  void SetPools(std::vector<std::weak_ptr<PoolSlot>> pools);
  // Has all of them look for what may start. With no lock held.
  void Serve();
  void Return() override;

 private:
  Mutex mutex_;
  std::vector<std::weak_ptr<PoolSlot>> pools_ GUARDED_BY(mutex_);
};

}  // namespace workpool
