#include "app/memory_trimmer.h"

#include <malloc.h>
#include <unistd.h>

#include <fstream>

// tcmalloc's, where the program is linked with it.
extern "C" [[gnu::weak]] void MallocExtension_ReleaseFreeMemory();  // NOLINT: its name

namespace workpool {
namespace {

constexpr std::uint64_t kWorthIt = std::uint64_t{64} << 20;
constexpr std::chrono::seconds kAfterWork{5};
constexpr std::chrono::seconds kAtRest{60};
constexpr std::chrono::seconds kUnderLoad{30};

}  // namespace

bool TrimRule::Due(const MemoryReading& now) {
  const bool rests = now.idle && now.moves == moves_;
  moves_ = now.moves;
  const auto since = now.at - last_;
  if (rests) return since >= (moves_ != moves_at_trim_ ? kAfterWork : kAtRest);
  return since >= kUnderLoad && now.resident >= kWorthIt && now.queued <= now.resident / 2;
}

void TrimRule::Trimmed(SteadyTime at) {
  last_ = at;
  moves_at_trim_ = moves_;
}

MemoryReading ReadMemory(SteadyTime now, const std::vector<PoolView>& pools) {
  MemoryReading reading{.at = now, .resident = ResidentBytes(), .idle = true};
  for (const PoolView& pool : pools) {
    reading.queued += pool.stats.queued_bytes;
    reading.moves += pool.stats.accepted + pool.stats.finished + pool.stats.withdrawn;
    reading.idle = reading.idle && pool.stats.queued == 0 && pool.stats.active == 0;
  }
  return reading;
}

std::uint64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  if (!(file >> size >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void TrimMemory() {
  if (&MallocExtension_ReleaseFreeMemory != nullptr) {
    MallocExtension_ReleaseFreeMemory();
  } else {
    malloc_trim(0);
  }
}

}  // namespace workpool
