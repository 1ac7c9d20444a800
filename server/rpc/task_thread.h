// A thread for the few calls that may block on a file. It exists from the start: later the system
// may have none to give. Thread safe.
#pragma once

#include <deque>
#include <functional>
#include <thread>

#include "base/mutex.h"

namespace workpool::rpc {

class TaskThread {
 public:
  using Task = std::move_only_function<void()>;

  TaskThread() : thread_([this] { Loop(); }) {}
  // Runs what has been given, then ends.
  ~TaskThread();
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;

  // Tasks run one after another, in order.
  void Run(Task task);

 private:
  void Loop();

  Mutex mutex_;
  CondVar changed_;
  std::deque<Task> tasks_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace workpool::rpc
