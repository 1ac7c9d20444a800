// Tasks by priority, then rank, with their number and their bytes. Those of a limited group lie
// apart in the group, so that all of them can be passed over at once while it is full. Not thread
// safe; every operation is O(1) in the number of tasks and O(limited groups), exceptions say so.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pool/limit_group.h"
#include "pool/priority_queue.h"

namespace workpool {

class RankedQueue {
 public:
  // `own`: the queue that each of the groups in `limited` keeps for this one.
  RankedQueue(const std::vector<LimitGroup*>& limited, PriorityQueue LimitGroup::* own)
      : limited_(limited), own_(own) {}

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return bytes_; }

  // The most urgent priority of which there is a task; -1 when empty.
  int Highest() const {
    return limited_.empty() ? common_.Highest() : PriorityOf(First(/*pass_over=*/false));
  }
  // The first task of the most urgent priority, or nullptr.
  Task* Front() const { return limited_.empty() ? common_.Front() : First(/*pass_over=*/false); }

  // The same without the tasks that are passed over.
  int HighestStartable() const {
    return limited_.empty() ? common_.Highest() : PriorityOf(First(/*pass_over=*/true));
  }
  Task* FirstStartable() const {
    return limited_.empty() ? common_.Front() : First(/*pass_over=*/true);
  }

  // Ranks it behind all that there are.
  void Push(Task& task) {
    task.rank_ = ++last_rank_;
    QueueOf(task).Push(task);
    ++size_;
    bytes_ += task.bytes;
  }
  void Remove(Task& task) {
    QueueOf(task).Remove(task);
    --size_;
    bytes_ -= task.bytes;
  }

  // All tasks in their order. O(size), with limited groups O(size log size).
  std::vector<Task*> All() const;
  // Takes all out, for a change of which groups are limited, and puts them back with their ranks.
  std::vector<Task*> TakeAll();
  void PutBack(const std::vector<Task*>& tasks);

  // The earliest offered_at among the first tasks of each priority and group.
  std::optional<SteadyTime> Oldest() const;

 private:
  static int PriorityOf(const Task* task) { return task == nullptr ? -1 : task->priority; }
  Task* First(bool pass_over) const;
  PriorityQueue& QueueOf(const Task& task) {
    return task.group != nullptr && task.group->limited() ? task.group->*own_ : common_;
  }

  const std::vector<LimitGroup*>& limited_;
  PriorityQueue LimitGroup::* const own_;
  PriorityQueue common_;  // tasks of no group or of one without a limit
  std::uint64_t last_rank_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace workpool
