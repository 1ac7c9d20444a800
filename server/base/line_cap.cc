#include "base/line_cap.h"

#include <utility>

namespace workpool {
namespace {

std::uint64_t Above(std::uint64_t lines, std::uint64_t most) {
  return lines > most ? lines - most : 0;
}

}  // namespace

bool LineCap::Count(SteadyTime now) {
  const MutexLock lock(mutex_);
  if (now >= ends_) {
    left_out_ += Above(std::exchange(lines_, 0), most_);
    ends_ = now + interval_;
  }
  return ++lines_ <= most_;
}

std::uint64_t LineCap::TakeLeftOut(SteadyTime now) {
  const MutexLock lock(mutex_);
  if (now >= ends_) left_out_ += Above(std::exchange(lines_, 0), most_);
  return std::exchange(left_out_, 0);
}

}  // namespace workpool
