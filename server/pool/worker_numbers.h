// Hands out the workers' numbers 0..limit-1, each to one holder at a time, the last returned first.
// After the limit has been lowered numbers at or above it may still be held; they are not handed
// out again until the limit rises past them. Not thread safe; Take and Return are O(1), SetLimit is
// O(limit).
#pragma once

#include <cstdint>
#include <vector>

namespace workpool {

class WorkerNumbers {
 public:
  explicit WorkerNumbers(std::uint32_t limit) : limit_(limit) {}

  // There must be a free one: fewer than `limit` are held.
  std::uint32_t Take();
  void Return(std::uint32_t number);
  void SetLimit(std::uint32_t limit);

 private:
  std::uint32_t limit_;
  std::vector<std::uint32_t> free_;  // numbers below limit_ that were held before and are not now
  std::vector<bool> held_;           // its size is the lowest number never handed out
};

}  // namespace workpool
