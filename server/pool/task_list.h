// A doubly linked list threaded through Task. Not thread safe; no allocation.
#pragma once

#include "pool/task.h"

namespace workpool {

class TaskList {
 public:
  bool empty() const { return head_ == nullptr; }
  Task* front() const { return head_; }
  static Task* Next(const Task& task) { return task.next_; }

  void PushBack(Task& task) {
    task.prev_ = tail_;
    task.next_ = nullptr;
    (tail_ != nullptr ? tail_->next_ : head_) = &task;
    tail_ = &task;
  }
  // It must be in this list.
  void Remove(Task& task) {
    (task.prev_ != nullptr ? task.prev_->next_ : head_) = task.next_;
    (task.next_ != nullptr ? task.next_->prev_ : tail_) = task.prev_;
  }
  // nullptr when empty.
  Task* PopFront() {
    Task* task = head_;
    if (task != nullptr) Remove(*task);
    return task;
  }

 private:
  Task* head_ = nullptr;
  Task* tail_ = nullptr;
};

}  // namespace workpool
