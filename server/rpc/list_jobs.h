// ListJobs: one page.
#pragma once

#include "base/error.h"
#include "jobs/dispatcher.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {

// A page is at most this large, so that it fits a stock client's 4 MiB.
inline constexpr std::size_t kMaxPageBytes = std::size_t{3} << 20;

// Fills `out` with a page's jobs and the token of the next page.
void WritePage(Dispatcher::ListPage page, const v1::JobFilter& filter, v1::ListJobsResponse& out);

Result<void> ListJobs(const Dispatcher& dispatcher, const v1::ListJobsRequest& request,
                      v1::ListJobsResponse& out);

}  // namespace workpool::rpc
