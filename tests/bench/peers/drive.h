// Drives a peer for a while.
#pragma once

#include "peer.h"

namespace workpool::bench {

struct PeerLoad {
  int connections = 2;   // of producers; with `consume` as many of consumers
  int bulk_posts = 4;    // under way on each of the producers' connections
  bool consume = false;  // have the jobs delivered and acknowledged too
};

// Starts the peer and answers how many jobs a second it acknowledges to its producers or, with
// `consume`, has acknowledged by its consumers. Throws std::runtime_error when anything fails.
double PeerJobsPerSecond(Peer& peer, const PeerLoad& load, double seconds);

}  // namespace workpool::bench
