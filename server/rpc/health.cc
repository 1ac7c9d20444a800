#include "rpc/health.h"

#include <algorithm>

namespace workpool::rpc {
namespace {

const char* const kOverall[] = {"", "workpool.v1.WorkPool"};

}  // namespace

Health::Health(grpc::HealthCheckServiceInterface& service) : service_(service) {
  MutexLock lock(mutex_);
  for (const char* name : kOverall) Tell(name, true);
}

void Health::SetPools(const std::vector<std::string>& names) {
  MutexLock lock(mutex_);
  for (const std::string& gone : pools_) {
    if (std::ranges::find(names, gone) == names.end()) Tell("pool/" + gone, false);
  }
  pools_ = names;
  for (const std::string& name : pools_) Tell("pool/" + name, serving_);
}

void Health::SetNotServing() {
  MutexLock lock(mutex_);
  serving_ = false;
  for (const char* name : kOverall) Tell(name, false);
  for (const std::string& name : pools_) Tell("pool/" + name, false);
}

void Health::Tell(const std::string& name, bool serving) {
  service_.SetServingStatus(name, serving);
}

}  // namespace workpool::rpc
