// A doubly linked list threaded through Task. Not thread safe; no allocation.
#pragma once

#include "pool/task.h"

namespace workpool {

class TaskList {
 public:
  bool empty() const { return head_ == nullptr; }
  Task* front() const { return head_; }
  static Task* Next(const Task& task) { return task.next_; }

  void PushBack(Task& task);
  void Remove(Task& task);  // it must be in this list
  Task* PopFront();         // nullptr when empty

 private:
  Task* head_ = nullptr;
  Task* tail_ = nullptr;
};

}  // namespace workpool
