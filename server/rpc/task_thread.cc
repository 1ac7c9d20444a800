#include "rpc/task_thread.h"

#include <utility>

namespace workpool::rpc {

TaskThread::~TaskThread() {
  {
    MutexLock lock(mutex_);
    ending_ = true;
    changed_.NotifyAll();
  }
  thread_.join();
}

void TaskThread::Run(Task task) {
  MutexLock lock(mutex_);
  tasks_.push_back(std::move(task));
  changed_.NotifyAll();
}

void TaskThread::Loop() {
  MutexLock lock(mutex_);
  while (true) {
    while (tasks_.empty() && !ending_) changed_.Wait(mutex_);
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.Unlock();
    task();
    task = nullptr;
    lock.Lock();
  }
}

}  // namespace workpool::rpc
