// A TaskPool without threads: tests and simulations step it.
#pragma once

#include "pool/task_pool.h"

namespace workpool {

class ManualPool final : public TaskPool {
 public:
  explicit ManualPool(const PoolLimits& limits);

  // Runs the next started task on the calling thread; false if there is none.
  bool RunOne();
};

}  // namespace workpool
