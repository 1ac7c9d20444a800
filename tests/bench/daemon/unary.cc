// One job a call, saturated, over one connection and over four.
#include "bench.h"
#include "duel.h"

namespace workpool::bench {

void DaemonUnary(const Options& options, Report& report) {
  for (const int clients : {1, 4}) {
    if (!options.Wants(clients)) continue;
    report.Add(Fight(options, {.bench = "daemon-unary"},
                     {.call = Call::kUnary, .clients = clients, .outstanding = 16}));
  }
}

}  // namespace workpool::bench
