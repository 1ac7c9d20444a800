// Tasks of one pool of which only so many may be active at a time, such as the jobs of one handler.
#pragma once

#include <cstdint>
#include <memory>

#include "pool/active_limit.h"
#include "pool/priority_queue.h"

namespace workpool {

// Belongs to whoever posts its tasks (Task::group) and must outlive them, their places, and, once
// it has been limited, the pool. Not thread safe: its pool's admission object alone reads and
// changes it, under that object's lock (TaskPool::Limit). Has no limit to begin with, and costs a
// task two additions then.
class LimitGroup {
 public:
  LimitGroup() = default;
  LimitGroup(const LimitGroup&) = delete;
  LimitGroup& operator=(const LimitGroup&) = delete;

 private:
  friend class Admission;
  friend class RankedQueue;

  bool limited() const { return limit_ != nullptr; }
  // Its tasks are passed over.
  bool full() const { return limited() && limit_->full(); }

  std::shared_ptr<ActiveLimit> limit_;
  bool shared_ = false;       // groups of other pools have the same limit
  std::uint64_t active_ = 0;  // here; counted without a limit too, so that one may come later
  PriorityQueue queued_;      // while limited
  PriorityQueue waiting_;
};

}  // namespace workpool
