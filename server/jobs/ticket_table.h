// The waits for a job's end, by ticket, so that a caller who gives up can name them. Thread safe.
#pragma once

#include <memory>
#include <unordered_map>
#include <utility>

#include "base/mutex.h"
#include "jobs/job_entry.h"
#include "jobs/post_request.h"

namespace workpool {

class TicketTable {
 public:
  Ticket Add(Ref<JobEntry> entry) {
    MutexLock lock(mutex_);
    entries_.emplace(++last_, std::move(entry));
    return last_;
  }

  // Null if it is over.
  Ref<JobEntry> Find(Ticket ticket) const {
    MutexLock lock(mutex_);
    const auto at = entries_.find(ticket);
    return at == entries_.end() ? nullptr : at->second;
  }

  Ref<JobEntry> Take(Ticket ticket) {
    MutexLock lock(mutex_);
    auto node = entries_.extract(ticket);
    return node ? std::move(node.mapped()) : nullptr;
  }

 private:
  mutable Mutex mutex_;
  std::unordered_map<Ticket, Ref<JobEntry>> entries_ GUARDED_BY(mutex_);
  Ticket last_ GUARDED_BY(mutex_) = 0;
};

}  // namespace workpool
