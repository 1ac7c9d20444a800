// One job a message of a stream.
#include "bench.h"
#include "daemon_duel.h"

namespace workpool::bench {

Figures DaemonStream(const Options& options) {
  return Duel("daemon-stream", options,
              {.call = Call::kStream, .clients = 2, .outstanding = 64, .batch = 1});
}

}  // namespace workpool::bench
