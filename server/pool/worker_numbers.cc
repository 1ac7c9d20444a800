#include "pool/worker_numbers.h"

#include <algorithm>

#include "base/check.h"

namespace workpool {

std::uint32_t WorkerNumbers::Take() {
  if (!free_.empty()) {
    const std::uint32_t number = free_.back();
    free_.pop_back();
    held_[number] = true;
    return number;
  }
  const auto number = static_cast<std::uint32_t>(held_.size());
  WORKPOOL_CHECK(number < limit_);
  held_.push_back(true);
  return number;
}

void WorkerNumbers::Return(std::uint32_t number) {
  WORKPOOL_CHECK(number < held_.size() && held_[number]);
  held_[number] = false;
  if (number < limit_) free_.push_back(number);
}

void WorkerNumbers::SetLimit(std::uint32_t limit) {
  std::erase_if(free_, [limit](std::uint32_t number) { return number >= limit; });
  const auto known = static_cast<std::uint32_t>(held_.size());
  for (std::uint32_t number = std::min(limit, known); number > limit_; --number) {
    if (!held_[number - 1]) free_.push_back(number - 1);
  }
  limit_ = limit;
}

}  // namespace workpool
