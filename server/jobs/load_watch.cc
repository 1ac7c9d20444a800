#include "jobs/load_watch.h"

#include <algorithm>

namespace workpool {
namespace {

constexpr double kBusyShare = 0.9;
constexpr double kAllBusyShare = 0.97;

}  // namespace

void LoadWatch::Add(double busy, std::uint32_t size, Backlog backlog) {
  window_[count_++ % kWindow] = {busy, busy / size, backlog};
}

bool LoadWatch::pressed() const {
  return Held(2, Backlog::kDeep, kBusyShare) || Held(4, Backlog::kSome, kAllBusyShare);
}

bool LoadWatch::Held(std::size_t intervals, Backlog at_least, double least_share) const {
  if (count_ < intervals) return false;
  double share = 0;
  for (std::size_t back = 0; back < intervals; ++back) {
    if (Last(back).backlog < at_least) return false;
    share += Last(back).share;
  }
  return share >= least_share * static_cast<double>(intervals);
}

std::optional<double> LoadWatch::Need() const {
  if (count_ < kWindow) return std::nullopt;
  double need = 0;
  for (std::size_t first = 0; first + kPart <= kWindow; ++first) {
    double busy = 0;
    for (std::size_t back = first; back < first + kPart; ++back) busy += Last(back).busy;
    need = std::max(need, busy / kPart);
  }
  return need;
}

}  // namespace workpool
