// How a finished job is shown by the commands that wait for one.
#pragma once

#include "output.h"
#include "workpool/client/job.h"

namespace workpool::cli {

// Prints the result's bytes, and a newline where there is none at their end unless `raw`; or the
// job as JSON. For a job that did not succeed says why on stderr, and answers kJobFailed.
Exit ShowOutcome(const Session& session, const client::Job& job, bool raw);

}  // namespace workpool::cli
