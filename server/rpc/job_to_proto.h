// Jobs as clients see them.
#pragma once

#include "jobs/job_view.h"
#include "workpool/v1/job.pb.h"

namespace workpool::rpc {

v1::JobState ToProto(JobState state);

// Texts that are not valid UTF-8 are made so: a stock client could not read the message otherwise.
// Result and log are moved out of `view`; the payload is copied if asked for.
void ToProto(JobView view, bool with_payload, v1::Job& out);

}  // namespace workpool::rpc
