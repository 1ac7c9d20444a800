#include <algorithm>

#include "jobs/store.h"

namespace workpool {

bool JobFilter::Empty() const {
  return pool.empty() && handler.empty() && states.empty() && !accepted_after && !accepted_before;
}

bool JobFilter::Matches(const Job& job, JobState state) const {
  if (!pool.empty() && job.pool != pool) return false;
  if (!handler.empty() && job.handler != handler) return false;
  if (!states.empty() && std::ranges::find(states, state) == states.end()) return false;
  if (accepted_after && job.accepted_at <= *accepted_after) return false;
  return !accepted_before || job.accepted_at < *accepted_before;
}

bool JobFilter::Matches(const JobView& view) const { return Matches(*view.job, view.state); }

}  // namespace workpool
