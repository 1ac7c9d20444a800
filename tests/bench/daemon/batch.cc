// A hundred or a thousand jobs a call, posted, run and finished in the daemon.
#include "bench.h"
#include "duel.h"

namespace workpool::bench {

void DaemonBatch(const Options& options, Report& report) {
  for (const int batch : {100, 1000}) {
    for (const int clients : {1, 4}) {
      if (!options.Wants(clients)) continue;
      report.Add(Fight(options, {.bench = "daemon-batch"},
                       {.call = Call::kBatch,
                        .clients = clients,
                        .outstanding = clients == 1 ? 4 : 2,  // no more than may wait for room
                        .batch = batch}));
    }
  }
}

}  // namespace workpool::bench
