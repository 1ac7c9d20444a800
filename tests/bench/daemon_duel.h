// Measures workpoold and empty-grpc in turns, each a process of its own.
#pragma once

#include <functional>
#include <string>

#include "bench.h"
#include "load.h"

namespace workpool::bench {

// Jobs a second of the server at an address.
using Measure = std::function<double(const std::string& address)>;

// `empty` first, then `workpool` with its ratio to it. workpoold runs noop jobs in a pool that
// makes posts wait while it is full, so that every post is accepted and, over the run, as many jobs
// are finished as are accepted.
Figures Duel(const std::string& bench, const Options& options, const Load& workpool_load,
             const Measure& workpool, const Load& empty_load, const Measure& empty);

// Both sides under the same load.
Figures Duel(const std::string& bench, const Options& options, const Load& load);

}  // namespace workpool::bench
