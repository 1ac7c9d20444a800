#include "body.h"

#include <stdexcept>

#include "chain.h"

namespace workpool::bench {
namespace {

int Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }

// How many calls Fibonacci(n) makes, itself counted.
int Calls(int n) { return n < 2 ? 1 : 1 + Calls(n - 1) + Calls(n - 2); }

// Five calls of Go's Fibonacci take about as long as this many steps of a chain.
constexpr int kStepsFiveCalls = 7;

// The same series in every language.
class Depths {
 public:
  std::uint8_t Next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint8_t>((state_ >> 33U) % 10 + 2);
  }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace

Body::Body(const std::string& kind, std::int64_t jobs, std::int64_t steps)
    : jobs_(static_cast<std::size_t>(jobs)) {
  Depths depths;
  if (kind == "fib") {
    depths_.resize(jobs_);
    for (auto& depth : depths_) depth = depths.Next();
  } else if (kind == "equal") {
    lengths_.resize(jobs_);
    for (auto& length : lengths_) {
      length = static_cast<std::uint16_t>(kStepsFiveCalls * Calls(depths.Next()) / 5);
    }
  } else if (kind == "chain") {
    steps_ = steps;
  } else {
    throw std::invalid_argument("no such body: " + kind);
  }
}

void Body::Do(std::size_t job) {
  done_.fetch_add(1, std::memory_order_relaxed);
  if (!depths_.empty()) {
    const int result = Fibonacci(depths_[job]);
    asm volatile("" : : "g"(result) : "memory");  // kept from the optimiser
  } else {
    RunChain(lengths_.empty() ? steps_ : lengths_[job]);
  }
}

}  // namespace workpool::bench
