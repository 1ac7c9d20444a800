// A task for tests of admission alone: it is never run.
#pragma once

#include <cstdint>

#include "pool/task.h"

namespace workpool {

struct IdleTask : Task {
  explicit IdleTask(int the_priority = kDefaultPriority, std::uint64_t the_bytes = 0) {
    priority = static_cast<std::uint8_t>(the_priority);
    bytes = the_bytes;
  }
  RunStatus Run(Place) noexcept override { return RunStatus::kFinished; }
};

}  // namespace workpool
