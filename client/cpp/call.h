// One request, one answer: the shapes that all unary calls share.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "call_set.h"
#include "deadline.h"
#include "status.h"
#include "workpool/client/error.h"

namespace workpool::client {

template <typename Stub, typename Request, typename Response>
using BlockingMethod = grpc::Status (Stub::*)(grpc::ClientContext*, const Request&, Response*);

template <typename Async, typename Request, typename Response>
using AsyncMethod = void (Async::*)(grpc::ClientContext*, const Request*, Response*,
                                    std::function<void(grpc::Status)>);

// Ends a call when the caller's token is triggered.
using StopCancel = std::stop_callback<std::function<void()>>;

inline std::function<void()> Canceller(grpc::ClientContext& context) {
  return [&context] { context.TryCancel(); };
}

// Blocks until the answer, the deadline or the stop.
template <typename Stub, typename Request, typename Response>
Result<Response> CallNow(Stub& stub,
                         std::type_identity_t<BlockingMethod<Stub, Request, Response>> method,
                         const Request& request, std::type_identity<Response> /*answer*/,
                         SteadyTime deadline, const std::stop_token& stop) {
  grpc::ClientContext context;
  SetDeadline(context, deadline);
  Response response;
  const StopCancel cancel(stop, Canceller(context));
  const grpc::Status status = (stub.*method)(&context, request, &response);
  if (!status.ok()) return std::unexpected(ErrorOf(status, context));
  return response;
}

// False when the stop came first.
bool Pause(std::chrono::nanoseconds duration, const std::stop_token& stop);

// Tries up to `attempts` times while the answer is QUEUE_FULL and there is time left for the pause
// that the daemon asks for.
template <typename Attempt>
auto WithAttempts(unsigned attempts, SteadyTime deadline, const std::stop_token& stop,
                  Attempt&& attempt) -> decltype(attempt()) {
  for (unsigned made = 1;; ++made) {
    auto result = attempt();
    if (result || made >= attempts || !IsQueueFull(result.error())) return result;
    const auto pause = PushBackOf(result.error());
    if (deadline != kNever && std::chrono::steady_clock::now() + pause >= deadline) return result;
    if (!Pause(pause, stop)) return Refuse(StatusCode::kCancelled, "stopped by the caller");
  }
}

// What one asynchronous call needs until its answer has come.
template <typename Request, typename Response>
struct AsyncCall {
  grpc::ClientContext context;
  Request request;
  Response response;
  std::move_only_function<void(Result<Response>)> done;
  std::unique_ptr<StopCancel> cancel;
};

// Calls `done` on a gRPC thread; on this thread when `calls` is closed.
template <typename Async, typename Request, typename Response>
void CallLater(Async& async, CallSet& calls,
               std::type_identity_t<AsyncMethod<Async, Request, Response>> method, Request request,
               std::move_only_function<void(Result<Response>)> done, SteadyTime deadline,
               const std::stop_token& stop) {
  auto owned = std::make_shared<AsyncCall<Request, Response>>();
  const auto id = calls.Enter(std::shared_ptr<grpc::ClientContext>(owned, &owned->context));
  if (!id) return done(Refuse(StatusCode::kCancelled, "the client is closed"));
  // From here on the set keeps it.
  AsyncCall<Request, Response>* const call = owned.get();
  owned.reset();
  call->request = std::move(request);
  call->done = std::move(done);
  SetDeadline(call->context, deadline);
  call->cancel = std::make_unique<StopCancel>(stop, Canceller(call->context));
  (async.*method)(&call->context, &call->request, &call->response,
                  [call, &calls, id = *id](const grpc::Status& status) {
                    call->cancel.reset();
                    call->done(status.ok() ? Result<Response>(std::move(call->response))
                                           : std::unexpected(ErrorOf(status, call->context)));
                    call->done = nullptr;
                    calls.Leave(id);
                  });
}

}  // namespace workpool::client
