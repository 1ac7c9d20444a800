// The jobs of system D's benchmark: each adds one to an atomic and then works.
//   fib     recursive Fibonacci of r + 2, r uniform in 0..9 from a table filled beforehand. What it
//           costs depends on the compiler.
//   equal   a chain about as long as Go takes for `fib`, with the same spread: equally dear in
//   every
//           language
//   chain   a chain of the same length for every job
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace workpool::bench {

class Body {
 public:
  // `steps` is the length of every job's chain, for "chain" alone. An unknown kind throws
  // std::invalid_argument.
  Body(const std::string& kind, std::int64_t jobs, std::int64_t steps);

  std::size_t jobs() const { return jobs_; }
  std::uint64_t done() const { return done_; }

  void Do(std::size_t job);

 private:
  const std::size_t jobs_;
  std::vector<std::uint8_t> depths_;    // of fib
  std::vector<std::uint16_t> lengths_;  // of equal
  std::int64_t steps_ = 0;              // of chain
  alignas(64) std::atomic<std::uint64_t> done_{0};
};

}  // namespace workpool::bench
