// A unary call under way.
#pragma once

#include <atomic>

#include "unit/rpc/rpc_rig.h"

namespace workpool::rpc {

template <typename Request, typename Response>
struct Pending {
  grpc::ClientContext context;
  Request request;
  Response response;
  grpc::Status status;
  std::atomic<bool> done{false};

  template <typename Method>
  void Start(Method method) {
    method(&context, &request, &response, [this](grpc::Status result) {
      status = std::move(result);
      done = true;
      done.notify_all();
    });
  }
  bool Wait() {
    return Eventually([this] { return done.load(); });
  }
};

struct PendingPost : Pending<v1::PostWorkRequest, v1::PostWorkResponse> {
  void Post(v1::WorkPool::Stub& stub) {
    Start([&](auto... args) { stub.async()->PostWork(args...); });
  }
};
struct PendingRun : Pending<v1::RunWorkRequest, v1::RunWorkResponse> {
  void Run(v1::WorkPool::Stub& stub) {
    Start([&](auto... args) { stub.async()->RunWork(args...); });
  }
};
struct PendingWait : Pending<v1::WaitJobRequest, v1::WaitJobResponse> {
  void Run(v1::WorkPool::Stub& stub) {
    Start([&](auto... args) { stub.async()->WaitJob(args...); });
  }
};

}  // namespace workpool::rpc
