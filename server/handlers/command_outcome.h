// What a command's exit means for its job.
#pragma once

#include <string>

#include "jobs/child_process.h"
#include "jobs/handler.h"

namespace workpool {

// Exit status 0 is success, `no_retry_exit` a failure for good, all else a failure, with code
// EXIT_<status> or SIGNAL_<name>, e.g. SIGNAL_KILL. A command that was told to stop has failed
// whatever its status. What it wrote to stdout goes along in each case; `last_line` of its stderr,
// if any, ends the message.
Outcome CommandOutcome(ChildExit exit, int no_retry_exit, const std::string& last_line,
                       bool told_to_stop);

}  // namespace workpool
