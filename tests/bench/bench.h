// The benchmarks, one a file, each named as tests/bench/run takes it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "figure.h"

namespace workpool::bench {

struct Options {
  int runs = 3;                  // of each subject; the median counts
  std::size_t jobs = 1'000'000;  // of each run of a pool
  double seconds = 2;            // how long a run of a daemon lasts
  std::string workpoold;         // the daemon's binary
  std::string own_program;       // this one: it serves `empty-grpc` when told to
};

using Figures = std::vector<Figure>;

Figures PoolWorkers(const Options& options);
Figures DaemonUnary(const Options& options);
Figures DaemonBatch(const Options& options);
Figures DaemonStream(const Options& options);
Figures DaemonGathered(const Options& options);

}  // namespace workpool::bench
