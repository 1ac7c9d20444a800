// The benchmarks, one a file, each named as tests/bench/run takes it.
#pragma once

#include "options.h"
#include "report.h"

namespace workpool::bench {

void PoolWorkers(const Options& options, Report& report);
void PoolLimits(const Options& options, Report& report);
void PoolSleepers(const Options& options, Report& report);
void PoolHandoff(const Options& options, Report& report);
void PoolPost(const Options& options, Report& report);
void PoolReject(const Options& options, Report& report);
void PoolDeep(const Options& options, Report& report);
void PoolBurst(const Options& options, Report& report);
void PoolBlocker(const Options& options, Report& report);
void PoolAllocations(const Options& options, Report& report);

void DaemonUnary(const Options& options, Report& report);
void DaemonBatch(const Options& options, Report& report);
void DaemonStream(const Options& options, Report& report);
void DaemonGathered(const Options& options, Report& report);
void DaemonRun(const Options& options, Report& report);
void DaemonPost(const Options& options, Report& report);
void DaemonWork(const Options& options, Report& report);
void DaemonLatency(const Options& options, Report& report);
void DaemonGrowth(const Options& options, Report& report);
void DaemonMemory(const Options& options, Report& report);

}  // namespace workpool::bench
