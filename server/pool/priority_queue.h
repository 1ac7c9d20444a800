// Tasks by priority, then arrival. Not thread safe; no allocation; every operation is O(1).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "pool/task_list.h"

namespace workpool {

class PriorityQueue {
 public:
  // The most urgent priority of which there is a task; -1 when empty.
  int Highest() const { return static_cast<int>(std::bit_width(present_)) - 1; }
  // The first task of the most urgent priority, or nullptr.
  Task* Front() const { return present_ == 0 ? nullptr : list(Highest()).front(); }
  const TaskList& list(int priority) const { return lists_[static_cast<std::size_t>(priority)]; }

  void Push(Task& task) {
    lists_[task.priority].PushBack(task);
    present_ |= 1u << task.priority;
  }
  void Remove(Task& task) {
    TaskList& list = lists_[task.priority];
    list.Remove(task);
    if (list.empty()) present_ &= ~(1u << task.priority);
  }

  // The earliest offered_at among the first tasks of each priority.
  std::optional<SteadyTime> Oldest() const;

 private:
  std::array<TaskList, kPriorities> lists_;
  std::uint32_t present_ = 0;  // bit p: there are tasks of priority p
};

}  // namespace workpool
