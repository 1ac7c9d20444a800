// What a call to cancel jobs has done.
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/job.h"

namespace workpool {

struct CancelReport {
  std::uint64_t cancelled = 0;   // jobs that this call ended or told to stop
  std::vector<JobId> not_found;  // never issued, or no longer kept; only for a call by ids
};

}  // namespace workpool
