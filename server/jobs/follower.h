// Answers questions about jobs: unfinished ones from the table, finished ones from the store. A job
// is put into the store before it leaves the table, so whoever looks in this order finds it.
// Thread safe.
#pragma once

#include "jobs/core.h"
#include "jobs/post_request.h"

namespace workpool {

class Follower {
 public:
  explicit Follower(Core& core) : core_(core) {}

  Result<JobView> Get(JobId id) const;
  Ticket Wait(JobId id, FinishedDone done);
  void CancelWait(Ticket ticket);

  JobPage List(const JobFilter& filter, JobId before, std::size_t limit) const;

 private:
  Result<JobView> Stored(JobId id) const;

  Core& core_;
};

}  // namespace workpool
