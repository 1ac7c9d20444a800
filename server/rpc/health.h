// The standard health service, as gRPC brings it.
#pragma once

#include <grpcpp/health_check_service_interface.h>

#include <string>
#include <vector>

#include "base/mutex.h"

namespace workpool::rpc {

// Names "" and workpool.v1.WorkPool for the whole, "pool/NAME" for each pool; a full or paused pool
// is SERVING. Thread safe.
class Health {
 public:
  explicit Health(grpc::HealthCheckServiceInterface& service);

  void SetPools(const std::vector<std::string>& names);
  // Everything is NOT_SERVING from now on.
  void SetNotServing();

 private:
  void Tell(const std::string& name, bool serving) REQUIRES(mutex_);

  grpc::HealthCheckServiceInterface& service_;
  Mutex mutex_;
  bool serving_ GUARDED_BY(mutex_) = true;
  std::vector<std::string> pools_ GUARDED_BY(mutex_);
};

}  // namespace workpool::rpc
