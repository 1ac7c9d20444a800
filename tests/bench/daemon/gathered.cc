// Job by job through the C++ client, which gathers them into messages, beside an empty batch call.
#include "bench.h"
#include "duel.h"

namespace workpool::bench {

void DaemonGathered(const Options& options, Report& report) {
  for (const int clients : {1, 2, 4}) {
    if (!options.Wants(clients)) continue;
    const Load gathered = {.call = Call::kStream, .clients = clients, .outstanding = 64};
    const Load batch = {.call = Call::kBatch, .clients = clients, .outstanding = 4, .batch = 1000};
    const Side ours = {gathered, [&](const std::string& address) {
                         return GatheredJobsPerSecond(address, gathered, options.seconds);
                       }};
    report.Add(Fight(options, {.bench = "daemon-gathered"}, ours, PlainSide(options, batch)));
  }
}

}  // namespace workpool::bench
