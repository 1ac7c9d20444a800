// A connection of its own to a server of workpool's service.
#pragma once

#include <memory>
#include <string>

#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::bench {

// gRPC's channels to one address share a connection unless they are told not to.
std::unique_ptr<v1::WorkPool::Stub> NewConnection(const std::string& address);

}  // namespace workpool::bench
