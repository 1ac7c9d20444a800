// Process groups: signalling one, and knowing when it is gone.
#pragma once

#include <sys/types.h>

namespace workpool {

// To every process of the group. A group that is gone is no error.
void SignalGroup(pid_t group, int signal);

// Whether no process of the group runs any more. One that has ended but that its parent has not
// reaped counts as gone, and so does one that we may not signal (it changed its user).
bool GroupIsGone(pid_t group);

}  // namespace workpool
