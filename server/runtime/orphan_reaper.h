// What process 1 of a container owes it: reaping processes whose parents have ended.
#pragma once

#include "runtime/child_table.h"

namespace workpool {

// Reaps every ended child that is not of `table`. Stops short at one that may be: call it again
// when that has been reaped, or when its start is over. Never blocks.
void ReapOrphans(const ChildTable& table);

}  // namespace workpool
