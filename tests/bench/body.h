// The work of system D's benchmark: one atomic increment and a small recursion.
#pragma once

#include <atomic>
#include <cstdint>
#include <random>
#include <vector>

namespace workpool::bench {

class Body {
 public:
  explicit Body(std::size_t jobs) : depths_(jobs) {
    std::minstd_rand random(1);
    std::uniform_int_distribution<int> depth(0, 9);
    for (auto& entry : depths_) entry = static_cast<std::uint8_t>(depth(random) + 2);
  }

  std::size_t jobs() const { return depths_.size(); }
  std::uint64_t done() const { return done_; }

  void Do(std::size_t job) {
    done_.fetch_add(1, std::memory_order_relaxed);
    const int result = Fibonacci(depths_[job]);
    asm volatile("" : : "g"(result) : "memory");  // kept from the optimiser
  }

 private:
  static int Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }

  std::vector<std::uint8_t> depths_;
  std::atomic<std::uint64_t> done_{0};
};

}  // namespace workpool::bench
