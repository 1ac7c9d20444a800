// What a PostStream holds.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/sync_stream.h>

#include <cstdint>
#include <memory>

#include "workpool/post_stream.h"
#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::client {

struct PostStream::Impl {
  explicit Impl(v1::WorkPool::Stub& stub) : stream(stub.PostWorkStream(&context)) {}

  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReaderWriter<v1::PostWorkStreamRequest, v1::PostWorkStreamResponse>>
      stream;
  std::uint64_t next_sequence = 1;
  bool done_sending = false;
  bool finished = false;
};

}  // namespace workpool::client
