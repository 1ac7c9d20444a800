// What a shutdown has given up.
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/job_view.h"

namespace workpool {

struct LostJobs {
  std::uint64_t count = 0;
  std::vector<JobView> first;  // by id, as many as were asked for
};

}  // namespace workpool
