#include "pool/task_list.h"

namespace workpool {

void TaskList::PushBack(Task& task) {
  task.prev_ = tail_;
  task.next_ = nullptr;
  (tail_ != nullptr ? tail_->next_ : head_) = &task;
  tail_ = &task;
}

void TaskList::Remove(Task& task) {
  (task.prev_ != nullptr ? task.prev_->next_ : head_) = task.next_;
  (task.next_ != nullptr ? task.next_->prev_ : tail_) = task.prev_;
  task.prev_ = nullptr;
  task.next_ = nullptr;
}

Task* TaskList::PopFront() {
  Task* task = head_;
  if (task != nullptr) Remove(*task);
  return task;
}

}  // namespace workpool
