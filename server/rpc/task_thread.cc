#include "rpc/task_thread.h"

#include <utility>

namespace workpool::rpc {

TaskThread::~TaskThread() {
  std::thread thread;
  {
    MutexLock lock(mutex_);
    ending_ = true;
    changed_.NotifyAll();
    thread = std::move(thread_);
  }
  if (thread.joinable()) thread.join();
}

void TaskThread::Run(Task task) {
  MutexLock lock(mutex_);
  tasks_.push_back(std::move(task));
  if (!thread_.joinable()) thread_ = std::thread([this] { Loop(); });
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
