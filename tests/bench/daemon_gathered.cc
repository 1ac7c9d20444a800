// Job by job through the C++ client, which gathers them into messages, beside an empty batch call.
#include "bench.h"
#include "daemon_duel.h"

namespace workpool::bench {

Figures DaemonGathered(const Options& options) {
  const Load gathered = {.call = Call::kStream, .clients = 2, .outstanding = 64, .batch = 1};
  const Load batch = {.call = Call::kBatch, .clients = 2, .outstanding = 4, .batch = 1000};
  return Duel(
      "daemon-gathered", options, gathered,
      [&](const std::string& address) {
        return GatheredJobsPerSecond(address, gathered, options.seconds);
      },
      batch,
      [&](const std::string& address) { return JobsPerSecond(address, batch, options.seconds); });
}

}  // namespace workpool::bench
