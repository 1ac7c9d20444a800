// What a Client holds.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "call.h"
#include "call_set.h"
#include "channel.h"
#include "gatherer.h"
#include "workpool/client.h"
#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::client {

// The generated class shares its name with the function that gives it.
using AsyncStub = std::remove_pointer_t<decltype(std::declval<v1::WorkPool::Stub&>().async())>;

struct Client::Impl {
  using Stub = v1::WorkPool::Stub;

  explicit Impl(ClientOptions given)
      : options(std::move(given)),
        channel(Connect(options.server)),
        stub(channel),
        generic_stub(channel),
        gatherer(generic_stub) {}

  SteadyTime Deadline(const CallOptions& call) const {
    return DeadlineIn(call.timeout.value_or(options.timeout));
  }
  unsigned Attempts(const CallOptions& call) const {
    return call.attempts.value_or(options.attempts);
  }

  template <typename Request, typename Response>
  Result<Response> Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                     Response*),
                        const Request& request, SteadyTime deadline, const CallOptions& call) {
    if (closed) return Refuse(StatusCode::kCancelled, "the client is closed");
    return CallNow(stub, method, request, std::type_identity<Response>(), deadline, call.stop);
  }

  const ClientOptions options;
  const std::shared_ptr<grpc::Channel> channel;
  Stub stub;
  grpc::GenericStub generic_stub;
  CallSet calls;
  Gatherer gatherer;
  std::atomic<bool> closed = false;
};

}  // namespace workpool::client
