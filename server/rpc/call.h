// The base of unary calls that may be answered later, by another thread, or never because the
// client has left.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <memory>
#include <utility>

#include "base/error.h"
#include "rpc/live_calls.h"
#include "rpc/status.h"

namespace workpool::rpc {

// Lives until gRPC is done with it and the last callback that refers to it is gone. The request,
// the response and the context live until gRPC is done: touch them only while starting, or after
// Claim has returned true and before Finish.
class Call : public grpc::ServerUnaryReactor {
 public:
  Call(LiveCalls& live, grpc::CallbackServerContext& context) : live_(live), context_(context) {
    live_.Enter();
  }

  // To be called once, by whoever made the call, before it is returned to gRPC.
  static grpc::ServerUnaryReactor* Launch(std::shared_ptr<Call> call) {
    Call* raw = call.get();
    raw->self_ = std::move(call);
    return raw;
  }

 protected:
  // True for exactly one caller, who must then Finish.
  bool Claim() { return !claimed_.exchange(true, std::memory_order_acq_rel); }
  void Refuse(const Error& error) {
    if (Claim()) Finish(ToStatus(error, context_));
  }
  // The client has left; the default answers nobody. Override to stop what the call has begun, and
  // call this at the end.
  void OnCancel() override { Refuse({ErrorCode::kCancelled, "the call was cancelled", {}}); }

  grpc::CallbackServerContext& context() { return context_; }

 private:
  void OnDone() final {
    const std::shared_ptr<Call> self = std::move(self_);
    live_.Leave();
  }
  // All reactions of our calls are short and never block, so gRPC need not hand each to another
  // thread: that would cost every call a thread switch.
  bool InternalInlineable() final { return true; }

  LiveCalls& live_;
  grpc::CallbackServerContext& context_;
  std::atomic<bool> claimed_{false};
  std::shared_ptr<Call> self_;
};

}  // namespace workpool::rpc
