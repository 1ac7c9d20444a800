// When to give back to the system what the allocator keeps of work that is over. tcmalloc, which
// the daemon is linked with, does so slowly by itself, the C library's malloc only with the free
// end of each heap: one block that is still used there keeps a whole burst resident.
#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "jobs/pool_view.h"

namespace workpool {

// How often to ask TrimRule.
inline constexpr std::chrono::seconds kTrimInterval{1};

struct MemoryReading {
  SteadyTime at{};
  std::uint64_t resident = 0;  // bytes
  std::uint64_t queued = 0;    // bytes that queued jobs take
  std::uint64_t moves = 0;     // acceptances and ends of jobs, since the start
  bool idle = false;           // nothing is queued or active
};

// Decides; looks at nothing itself. Not thread safe.
//
// A daemon at rest gives back soon after its last job, and now and then: finished jobs are
// forgotten at rest too. Under load it is done seldom, for the load may need the memory again, and
// only where queued jobs do not account for most of it. At rest means that nothing has moved since
// the reading before: the last jobs' memory is freed a little after their places.
class TrimRule {
 public:
  bool Due(const MemoryReading& now);
  void Trimmed(SteadyTime at);

 private:
  std::uint64_t moves_ = 0;
  std::uint64_t moves_at_trim_ = 0;
  SteadyTime last_{};
};

// `resident` 0: the process could not be read.
MemoryReading ReadMemory(SteadyTime now, const std::vector<PoolView>& pools);
// Resident bytes of this process; 0 if that cannot be read, as without a free descriptor.
std::uint64_t ResidentBytes();
// May take a tenth of a second for a gigabyte.
void TrimMemory();

}  // namespace workpool
