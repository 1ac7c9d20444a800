// A thousand jobs a call, posted, run and finished in the daemon.
#include "bench.h"
#include "daemon_duel.h"

namespace workpool::bench {

Figures DaemonBatch(const Options& options) {
  return Duel("daemon-batch", options,
              {.call = Call::kBatch, .clients = 2, .outstanding = 4, .batch = 1000});
}

}  // namespace workpool::bench
