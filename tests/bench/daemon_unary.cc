// One job a call, saturated.
#include "bench.h"
#include "daemon_duel.h"

namespace workpool::bench {

Figures DaemonUnary(const Options& options) {
  return Duel("daemon-unary", options,
              {.call = Call::kUnary, .clients = 4, .outstanding = 16, .batch = 1});
}

}  // namespace workpool::bench
