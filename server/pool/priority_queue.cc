#include "pool/priority_queue.h"

#include <bit>

namespace workpool {

int PriorityQueue::Highest() const { return static_cast<int>(std::bit_width(present_)) - 1; }

Task* PriorityQueue::Front() const { return present_ == 0 ? nullptr : list(Highest()).front(); }

void PriorityQueue::Push(Task& task) {
  lists_[task.priority].PushBack(task);
  present_ |= 1u << task.priority;
  ++size_;
  bytes_ += task.bytes;
}

void PriorityQueue::Remove(Task& task) {
  TaskList& list = lists_[task.priority];
  list.Remove(task);
  if (list.empty()) present_ &= ~(1u << task.priority);
  --size_;
  bytes_ -= task.bytes;
}

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
