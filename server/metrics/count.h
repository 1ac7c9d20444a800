// A number that only grows. Where one thread writes, adding is a load and a store, about a
// nanosecond; where several may, an atomic addition, ten times that. Readers may be anybody.
#pragma once

#include <atomic>
#include <cstdint>

namespace workpool::metrics {

enum class Writers : std::uint8_t { kOne, kSeveral };

class Count {
 public:
  void Add(std::uint64_t more, Writers writers) {
    if (writers == Writers::kOne) {
      value_.store(Read() + more, std::memory_order_relaxed);
    } else {
      value_.fetch_add(more, std::memory_order_relaxed);
    }
  }

  std::uint64_t Read() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

}  // namespace workpool::metrics
