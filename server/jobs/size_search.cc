#include "jobs/size_search.h"

#include <algorithm>

namespace workpool {
namespace {

constexpr double kRetrograde = 0.96;
constexpr double kSlower = 1.2;

}  // namespace

double SizeSearch::BestRate() const {
  double best = 0;
  for (const auto& [size, reading] : readings_) {
    best = std::max(best, reading.rate * (1 - reading.error / 2));
  }
  return best;
}

bool SizeSearch::Slower(const SizeReading& reading) const {
  return std::ranges::any_of(readings_, [&reading](const auto& other) {
    return reading.run_ns > kSlower * other.second.run_ns;
  });
}

bool SizeSearch::Enough(const SizeReading& reading) const {
  if (reading.rate < EnoughRate()) return false;
  // Where a larger size has workers to spare, one whose backlog grows is too small, however small
  // the difference in throughput.
  return !readings_.rbegin()->second.spare || reading.spare || reading.keeps_up;
}

std::uint32_t SizeSearch::Found() const {
  for (const auto& [size, reading] : readings_) {
    if (Enough(reading)) return size;
  }
  return Largest();
}

std::uint32_t SizeSearch::Highest() const {
  return std::ranges::max_element(readings_, {}, [](const auto& at) { return at.second.rate; })
      ->first;
}

// Where the largest size gives clearly less than a smaller one, the best may lie between the two.
std::optional<std::uint32_t> SizeSearch::Summit() const {
  const auto highest = readings_.find(Highest());
  const auto after = std::next(highest);
  if (after == readings_.end() || after->first < highest->first * 2) return std::nullopt;
  if (after->second.rate > kRetrograde * highest->second.rate) return std::nullopt;
  return highest->first + (after->first - highest->first) / 2;
}

std::optional<std::uint32_t> SizeSearch::Next() const {
  const std::uint32_t found = Found();
  const std::uint32_t top = Largest();
  if (found == top && top < max_ && !At(top).spare) {
    return top > max_ / 2 ? max_ : top * 2;
  }
  if (At(found).rough) return found;
  if (At(Highest()).rough) return Highest();
  if (const auto summit = Summit()) return summit;
  const auto at = readings_.find(found);
  if (at == readings_.begin()) {
    if (found == min_) return std::nullopt;
    return std::max(min_, found / 2);
  }
  const std::uint32_t below = std::prev(at)->first;
  if (found - below <= std::max<std::uint32_t>(1, found / 10)) return std::nullopt;
  return below + (found - below) / 2;
}

}  // namespace workpool
