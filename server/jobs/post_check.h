// Checks what a client posts, field by field, before it is admitted.
#pragma once

#include "base/error.h"
#include "jobs/job.h"
#include "jobs/routes.h"

namespace workpool {

// Where the work goes, or kBadField, kPayloadTooLarge, kUnknownHandler or kUnknownPool with a
// message that names the field and the rule.
// `recent`, unless null, is where work of the same batch went: much of it goes the same way.
Result<Ref<const Route>> CheckWork(const Work& work, const Routes& routes,
                                   const Ref<const Route>& recent = nullptr);

}  // namespace workpool
