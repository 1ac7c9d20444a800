#include "pool/notice_queue.h"

#include <algorithm>

namespace workpool {

void NoticeQueue::Grow() {
  std::vector<Entry> larger(std::max<std::size_t>(16, 2 * ring_.size()));
  for (std::uint32_t number = head_; number != tail_; ++number) {
    larger[number & (larger.size() - 1)] = At(number);
  }
  ring_.swap(larger);
}

std::uint32_t NoticeQueue::Push(const Entry& entry) {
  if (tail_ - head_ == ring_.size()) Grow();
  At(tail_) = entry;
  ++live_;
  return tail_++;
}

void NoticeQueue::Drop(std::uint32_t number) {
  At(number).task = nullptr;
  --live_;
}

NoticeQueue::Entry NoticeQueue::Take() {
  while (head_ != tail_) {
    const Entry entry = At(head_++);
    if (entry.task == nullptr) continue;
    --live_;
    return entry;
  }
  return {};
}

}  // namespace workpool
