// RunWork: a call is answered when its job has been run.
#include "bench.h"
#include "duel.h"

namespace workpool::bench {

void DaemonRun(const Options& options, Report& report) {
  for (const int clients : {1, 4}) {
    if (!options.Wants(clients)) continue;
    report.Add(Fight(options, {.bench = "daemon-run"},
                     {.call = Call::kRun, .clients = clients, .outstanding = 16}));
  }
}

}  // namespace workpool::bench
