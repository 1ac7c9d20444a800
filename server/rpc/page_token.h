// Page tokens of ListJobs: opaque to clients, and good only for the filter that they came with.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "jobs/job.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {

// The page that goes on below `before`.
std::string MakePageToken(JobId before, const v1::JobFilter& filter);

// 0 for the empty token; kBadField for one that was not made here or came with another filter.
Result<JobId> ReadPageToken(std::string_view token, const v1::JobFilter& filter);

}  // namespace workpool::rpc
