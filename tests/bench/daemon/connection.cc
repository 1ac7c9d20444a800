#include "connection.h"

#include <grpcpp/grpcpp.h>

namespace workpool::bench {

std::unique_ptr<v1::WorkPool::Stub> NewConnection(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return v1::WorkPool::NewStub(
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
}

}  // namespace workpool::bench
