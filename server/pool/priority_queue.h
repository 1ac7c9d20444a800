// Tasks by priority, then arrival, with their number and their bytes. Not thread safe; no
// allocation; every operation is O(1).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "pool/task_list.h"

namespace workpool {

class PriorityQueue {
 public:
  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return bytes_; }

  // The most urgent priority of which there is a task; -1 when empty.
  int Highest() const;
  // The first task of the most urgent priority, or nullptr.
  Task* Front() const;
  const TaskList& list(int priority) const { return lists_[static_cast<std::size_t>(priority)]; }

  void Push(Task& task);
  void Remove(Task& task);

  // The earliest offered_at among the first tasks of each priority.
  std::optional<SteadyTime> Oldest() const;

 private:
  std::array<TaskList, kPriorities> lists_;
  std::uint32_t present_ = 0;  // bit p: there are tasks of priority p
  std::uint64_t size_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace workpool
