// What WatchStats sends: readings of pools with what happened since the reading before.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "jobs/dispatcher.h"
#include "workpool/v1/admin.pb.h"

namespace workpool::rpc {

// A series of readings. Not thread safe.
class PoolRates {
 public:
  // `pool`: only this one; empty for all.
  explicit PoolRates(std::string pool) : pool_(std::move(pool)) {}

  // The first reading has no rates, and so has a pool's first.
  void Write(const std::vector<PoolView>& views, SteadyTime now, WallTime wall_now,
             v1::WatchStatsResponse& out);

 private:
  struct Counts {
    std::uint64_t accepted = 0;
    std::uint64_t finished = 0;
    std::uint64_t rejected = 0;
  };
  void WriteRates(const v1::Pool& pool, double seconds, v1::PoolStats& out);

  const std::string pool_;
  SteadyTime before_;
  std::map<std::string, Counts> counts_;
};

}  // namespace workpool::rpc
