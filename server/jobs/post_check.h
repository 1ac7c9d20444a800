// Checks what a client posts, field by field, before it is admitted.
#pragma once

#include "base/error.h"
#include "jobs/job.h"
#include "jobs/routes.h"

namespace workpool {

// Where the work goes, or kBadField, kPayloadTooLarge, kUnknownHandler or kUnknownPool with a
// message that names the field and the rule.
Result<Route> CheckWork(const Work& work, const Routes& routes);

}  // namespace workpool
