// One job a message of a stream, and a hundred.
#include "bench.h"
#include "duel.h"

namespace workpool::bench {

void DaemonStream(const Options& options, Report& report) {
  for (const int clients : {1, 4}) {
    for (const int batch : {1, 100}) {
      if (!options.Wants(clients)) continue;
      report.Add(Fight(options, {.bench = "daemon-stream"},
                       {.call = Call::kStream,
                        .clients = clients,
                        .outstanding = batch == 1 ? 64 : 4,
                        .batch = batch}));
    }
  }
}

}  // namespace workpool::bench
