// workpoold, empty-grpc and the peers as subjects that take turns.
#pragma once

#include <string>
#include <vector>

#include "daemon.h"
#include "load.h"
#include "peers/drive.h"
#include "report.h"
#include "turns.h"

namespace workpool::bench {

// What a subject of `bench` is run with; DaemonContestOnce reads it.
struct DaemonContest {
  std::string bench;
  int connections = 2;
};

// workpool first, then empty-grpc.
std::vector<Subject> DaemonSubjects(const Options& options, const DaemonContest& contest);
// Adds the peers that are here; says which are not.
void AddPeers(std::vector<Subject>& subjects, const Options& options, const DaemonContest& contest,
              Report& report);

// One run: batches of 1000 at a workpoold of `config`, at empty-grpc, or at a peer.
Values DaemonContestOnce(const Arguments& arguments, const DaemonConfig& config, bool consume);

}  // namespace workpool::bench
