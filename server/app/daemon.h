// The daemon as a library: a program links workpool::daemon, registers handlers of its own, and is
// a workpoold that has them (docs/embedding.md).
//
//   int main(int argc, char** argv) {
//     workpool::HandlerRegistry registry;
//     registry.Add("resize", [](const workpool::Job& job, workpool::JobContext& context)
//                                -> workpool::Outcome { return Resize(job.payload); });
//     return workpool::RunDaemon(argc, argv, registry);
//   }
#pragma once

#include "jobs/registry.h"

namespace workpool {

// Runs workpoold with its command line, config, signals and ports, and returns its exit status
// (docs/operations.md). Call it first in main, from the main thread, before other threads start,
// once. Leaves the process without returning when handlers have not ended by the end of a shutdown.
int RunDaemon(int argc, char** argv, const HandlerRegistry& registry);

}  // namespace workpool
