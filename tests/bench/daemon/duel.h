// Measures workpoold and empty-grpc in turns, each a process of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "daemon.h"
#include "figure.h"
#include "load.h"
#include "options.h"

namespace workpool::bench {

// Jobs a second of the server at an address.
using Measure = std::function<double(const std::string& address)>;

struct Side {
  Load load;  // what the figure says of it
  Measure measure;
};

// `load` on a server.
Side PlainSide(const Options& options, const Load& load);

struct Duel {
  std::string bench;
  DaemonConfig config = {};
  Parameters parameters = {};  // beside those of the load
};

// `empty-grpc` first, then `workpool` with its ratio to it.
Figures Fight(const Options& options, const Duel& duel, const Side& workpool, const Side& empty);

// Both sides under the same load.
Figures Fight(const Options& options, const Duel& duel, const Load& load);

}  // namespace workpool::bench
