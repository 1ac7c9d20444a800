#include "pool/priority_queue.h"

namespace workpool {

std::optional<SteadyTime> PriorityQueue::Oldest() const {
  std::optional<SteadyTime> oldest;
  for (const TaskList& list : lists_) {
    if (list.empty()) continue;
    const SteadyTime time = list.front()->offered_at;
    if (!oldest || time < *oldest) oldest = time;
  }
  return oldest;
}

}  // namespace workpool
