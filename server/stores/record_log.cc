#include "stores/record_log.h"

#include <algorithm>
#include <new>

namespace workpool {
namespace {

// A pool with few records shall not cost much, one with many need not ask malloc often.
constexpr std::size_t kSmallestChunk = std::size_t{4} << 10;
constexpr std::size_t kLargestChunk = std::size_t{64} << 10;

}  // namespace

const Record& RecordLog::Add(const JobView& view, SteadyTime now) {
  const std::size_t size = Record::SizeOf(view);
  if (chunks_.empty() || chunks_.back().size - chunks_.back().end < size) {
    const std::size_t wish = std::clamp<std::size_t>(bytes_, kSmallestChunk, kLargestChunk);
    chunks_.emplace_back(std::max(wish, size));
  }
  Chunk& chunk = chunks_.back();
  const Record& record = Record::Write({chunk.memory.get() + chunk.end, size}, view, now);
  chunk.end += size;
  ++count_;
  bytes_ += size + kIndexBytes;
  return record;
}

const Record& RecordLog::front() const {
  const Chunk& chunk = chunks_.front();
  return *std::launder(reinterpret_cast<const Record*>(chunk.memory.get() + chunk.begin));
}

void RecordLog::PopFront() {
  const std::size_t size = front().size();
  Chunk& chunk = chunks_.front();
  chunk.begin += size;
  --count_;
  bytes_ -= size + kIndexBytes;
  if (chunk.begin == chunk.end) chunks_.pop_front();
  if (!empty()) __builtin_prefetch(&front());  // it goes with the next job, long unused
}

}  // namespace workpool
