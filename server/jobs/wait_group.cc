#include "jobs/wait_group.h"

#include <algorithm>

namespace workpool {

WaitGroup::Ended WaitGroup::End(std::size_t index) {
  Ref<JobEntry> entry;  // dropped after the lock
  SmallMutexLock lock(mutex_);
  Post& post = posts_[index];
  entry = std::exchange(post.entry, nullptr);
  if (!entry) return {};
  const bool last = --left_ == 0;
  return {std::exchange(post.answer, PostAnswer()), last, last ? key_ : DeadlineKey()};
}

Ref<JobEntry> WaitGroup::Find(std::size_t index) const {
  SmallMutexLock lock(mutex_);
  return posts_[index].entry;
}

std::vector<Ref<JobEntry>> WaitGroup::Due(SteadyTime now) const {
  std::vector<Ref<JobEntry>> due;
  SmallMutexLock lock(mutex_);
  for (const Post& post : posts_) {
    if (post.entry && post.until <= now) due.push_back(post.entry);
  }
  return due;
}

std::optional<SteadyTime> WaitGroup::NextDue(SteadyTime after) const {
  std::optional<SteadyTime> next;
  SmallMutexLock lock(mutex_);
  for (const Post& post : posts_) {
    if (post.entry && post.until > after && (!next || post.until < *next)) next = post.until;
  }
  return next;
}

bool WaitGroup::KeepKey(const DeadlineKey& key) {
  SmallMutexLock lock(mutex_);
  if (left_ == 0) return false;
  key_ = key;
  return true;
}

Ref<JobEntry> WaitTable::Find(Ticket ticket) const {
  Ref<WaitGroup> group;
  {
    MutexLock lock(mutex_);
    auto at = groups_.upper_bound(ticket);
    if (at == groups_.begin()) return nullptr;
    group = (--at)->second;
  }
  const std::size_t index = ticket - group->first_ticket();
  return index < group->size() ? group->Find(index) : nullptr;
}

}  // namespace workpool
