// The posts of one batch that wait for room in one pool: their answers, the tickets by which they
// may be abandoned, and one deadline for all of them. Thread safe once it is filled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/ref.h"
#include "base/small_mutex.h"
#include "jobs/deadline_queue.h"
#include "jobs/job_entry.h"
#include "jobs/post_answer.h"

namespace workpool {

class WaitGroup : public RefCounted<WaitGroup> {
 public:
  struct Post {
    Ref<JobEntry> entry;  // null once its wait has ended
    PostAnswer answer;
    SteadyTime until{};
  };
  explicit WaitGroup(std::vector<Post> posts) : left_(posts.size()), posts_(std::move(posts)) {}

  std::size_t size() const { return size_; }
  // Set by the table, before anybody else knows the group.
  void SetFirstTicket(Ticket first) { first_ticket_ = first; }
  Ticket first_ticket() const { return first_ticket_; }

  // The wait of one has ended: its answer, empty for all but the first call. With the last of them
  // the deadline that is to be dropped.
  struct Ended {
    PostAnswer answer;
    bool last = false;
    DeadlineKey key;
  };
  Ended End(std::size_t index);

  // Null if its wait has ended.
  Ref<JobEntry> Find(std::size_t index) const;

  // Those whose time is over, and when the next one's will be, if any waits on.
  std::vector<Ref<JobEntry>> Due(SteadyTime now) const;
  std::optional<SteadyTime> NextDue(SteadyTime after) const;
  // False if no wait is left; then the key is not kept.
  bool KeepKey(const DeadlineKey& key);

 private:
  mutable SmallMutex mutex_;
  std::size_t left_ GUARDED_BY(mutex_);
  std::vector<Post> posts_ GUARDED_BY(mutex_);
  DeadlineKey key_ GUARDED_BY(mutex_);
  const std::size_t size_ = posts_.size();
  Ticket first_ticket_ = 0;
};

// The groups with a post that waits, by ticket. Owns them. Thread safe.
class WaitTable {
 public:
  // Gives the group its tickets.
  void Add(const Ref<WaitGroup>& group) {
    MutexLock lock(mutex_);
    group->SetFirstTicket(next_);
    groups_.emplace_hint(groups_.end(), next_, group);
    next_ += group->size();
  }
  void Remove(const WaitGroup& group) {
    MutexLock lock(mutex_);
    groups_.erase(group.first_ticket());
  }
  // Null if it is over.
  Ref<JobEntry> Find(Ticket ticket) const;

 private:
  mutable Mutex mutex_;
  std::map<Ticket, Ref<WaitGroup>> groups_ GUARDED_BY(mutex_);
  Ticket next_ GUARDED_BY(mutex_) = 1;
};

}  // namespace workpool
