// Connections.
#pragma once

#include <grpcpp/channel.h>

#include <memory>
#include <string>

namespace workpool::client {

// A connection of its own to `server`, made when it is first used. Never fails: calls on a bad
// address end with UNAVAILABLE.
std::shared_ptr<grpc::Channel> Connect(const std::string& server);

}  // namespace workpool::client
