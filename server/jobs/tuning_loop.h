// Steps the tuners of the pools that the daemon sizes, each once per interval of its own. Thread
// safe.
#pragma once

#include <memory>

#include "jobs/core.h"

namespace workpool {

class TuningLoop {
 public:
  explicit TuningLoop(Core& core) : core_(core) {}

  // Looks after the pool as long as its config says so. Once more is harmless.
  void LookAfter(const std::shared_ptr<PoolSlot>& pool);

 private:
  void Arm(const std::shared_ptr<PoolSlot>& pool, std::chrono::nanoseconds in);
  void Step(const std::shared_ptr<PoolSlot>& pool);

  Core& core_;
};

}  // namespace workpool
