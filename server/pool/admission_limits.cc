// How many tasks of a group may be active: a limit of one pool, or one that several pools share.
#include <utility>

#include "pool/admission.h"

namespace workpool {

void Admission::Limit(LimitGroup& group, std::uint64_t max_active) {
  if (max_active == 0) return Limit(group, nullptr, false);
  Limit(group, std::make_shared<ActiveLimit>(max_active), false);
}

void Admission::Limit(LimitGroup& group, std::shared_ptr<ActiveLimit> limit, bool shared) {
  if (limit != group.limit_) {
    if (group.limited()) group.limit_->Remove(group.active_);
    if (limit != nullptr) limit->Add(group.active_);
  }
  if (group.limited() == (limit != nullptr)) {
    group.limit_ = std::move(limit);
  } else {
    const std::vector<Task*> queued = queued_.TakeAll();
    const std::vector<Task*> waiting = waiting_.TakeAll();
    group.limit_ = std::move(limit);
    if (group.limited()) {
      limited_.push_back(&group);
    } else {
      std::erase(limited_, &group);
    }
    queued_.PutBack(queued);
    waiting_.PutBack(waiting);
  }
  group.shared_ = shared;
  Serve();
}

bool Admission::TakeOfLimit(const Task& task) {
  return task.group == nullptr || !task.group->limited() || task.group->limit_->Take();
}

void Admission::ReturnToLimit(LimitGroup& group) {
  if (!group.limited()) return;
  if (group.shared_) {
    owed_.push_back(group.limit_);
  } else {
    group.limit_->Free();
  }
}

}  // namespace workpool
