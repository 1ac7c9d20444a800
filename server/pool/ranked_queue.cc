#include "pool/ranked_queue.h"

#include <algorithm>

namespace workpool {

Task* RankedQueue::First(bool pass_over) const {
  Task* first = common_.Front();
  for (const LimitGroup* group : limited_) {
    if (pass_over && group->full()) continue;
    Task* task = (group->*own_).Front();
    if (task == nullptr) continue;
    const bool ahead = first == nullptr || task->priority > first->priority ||
                       (task->priority == first->priority && task->rank_ < first->rank_);
    if (ahead) first = task;
  }
  return first;
}

std::vector<Task*> RankedQueue::All() const {
  std::vector<Task*> all;
  all.reserve(size_);
  const auto add = [&all](const PriorityQueue& queue) {
    for (int priority = kPriorities - 1; priority >= 0; --priority) {
      const TaskList& list = queue.list(priority);
      for (Task* task = list.front(); task != nullptr; task = TaskList::Next(*task)) {
        all.push_back(task);
      }
    }
  };
  add(common_);
  for (const LimitGroup* group : limited_) add(group->*own_);
  if (limited_.empty()) return all;
  std::sort(all.begin(), all.end(), [](const Task* a, const Task* b) {
    return a->priority != b->priority ? a->priority > b->priority : a->rank_ < b->rank_;
  });
  return all;
}

std::vector<Task*> RankedQueue::TakeAll() {
  std::vector<Task*> all = All();
  for (Task* task : all) QueueOf(*task).Remove(*task);
  return all;
}

void RankedQueue::PutBack(const std::vector<Task*>& tasks) {
  for (Task* task : tasks) QueueOf(*task).Push(*task);
}

std::optional<SteadyTime> RankedQueue::Oldest() const {
  std::optional<SteadyTime> oldest = common_.Oldest();
  for (const LimitGroup* group : limited_) {
    const std::optional<SteadyTime> own = (group->*own_).Oldest();
    if (own && (!oldest || *own < *oldest)) oldest = own;
  }
  return oldest;
}

}  // namespace workpool
