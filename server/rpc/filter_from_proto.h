// Which jobs a request means.
#pragma once

#include <vector>

#include "base/error.h"
#include "jobs/store.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {

// kBadField for names that break the rule for names, unknown states and invalid instants.
Result<JobFilter> FilterFromProto(const v1::JobFilter& filter);

// Exactly one of the three.
struct CancelTarget {
  std::vector<JobId> ids;
  JobFilter filter;
  bool all = false;
};

// kBadField where a request names none of ids, filter and `all`, or more than one: nobody cancels
// everything by leaving a field empty.
Result<CancelTarget> TargetFromProto(const v1::CancelJobsRequest& request);

}  // namespace workpool::rpc
