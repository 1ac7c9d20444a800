// Looks for the smallest size whose throughput is within 5 % of the best, given readings at sizes
// of its choosing: doubles as long as that helps, then halves, then bisects. Passive,
// deterministic, not thread safe. It takes throughput to rise up to some size, and to stay or fall
// beyond it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace workpool {

struct SizeReading {
  double rate = 0;        // completions per second
  double error = 0;       // its standard error, as a share
  double run_ns = 0;      // how long a job took
  bool spare = false;     // there were workers without work: the load set the rate
  bool keeps_up = false;  // no backlog grew, no post was turned away
  bool rough = false;     // good enough to climb on, not to be compared
};

class SizeSearch {
 public:
  SizeSearch(std::uint32_t min, std::uint32_t max) : min_(min), max_(max) {}

  void Note(std::uint32_t size, const SizeReading& reading) { readings_[size] = reading; }

  // The size to measure next; none when the search is over. There must be a reading.
  std::optional<std::uint32_t> Next() const;

  // The smallest size seen that is good enough, and its reading.
  std::uint32_t Found() const;
  const SizeReading& At(std::uint32_t size) const { return readings_.at(size); }
  std::uint32_t Largest() const { return readings_.rbegin()->first; }
  bool empty() const { return readings_.empty(); }

  // Jobs took less time at some other size.
  bool Slower(const SizeReading& reading) const;

  // The best throughput seen, read with caution: the highest of many readings is too high.
  double BestRate() const;
  // What a size must reach.
  double EnoughRate() const { return kEnough * BestRate(); }

  static constexpr double kEnough = 0.95;

 private:
  bool Enough(const SizeReading& reading) const;
  std::uint32_t Highest() const;  // the size with the best rate
  std::optional<std::uint32_t> Summit() const;

  std::uint32_t min_;
  std::uint32_t max_;
  std::map<std::uint32_t, SizeReading> readings_;
};

}  // namespace workpool
