#include "workpool/admin.h"

#include <utility>

#include "call.h"
#include "channel.h"
#include "convert.h"
#include "workpool/v1/admin.grpc.pb.h"

namespace workpool::client {

namespace {

using Stub = v1::Admin::Stub;

template <typename Response>
Result<Pool> PoolIn(const Result<Response>& response) {
  if (!response) return std::unexpected(response.error());
  return PoolOf(response->pool());
}

template <typename Request>
Request Naming(const std::string& pool) {
  Request request;
  request.set_pool(pool);
  return request;
}

}  // namespace

struct Admin::Impl {
  explicit Impl(ClientOptions given)
      : options(std::move(given)), channel(Connect(options.server)), stub(channel) {}

  SteadyTime Deadline(const CallOptions& call) const {
    return DeadlineIn(call.timeout.value_or(options.timeout));
  }

  template <typename Request, typename Response>
  Result<Response> Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                     Response*),
                        const Request& request, SteadyTime deadline, const CallOptions& call) {
    return CallNow(stub, method, request, std::type_identity<Response>(), deadline, call.stop);
  }

  const ClientOptions options;
  const std::shared_ptr<grpc::Channel> channel;
  Stub stub;
};

Admin::Admin(ClientOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Admin::~Admin() = default;

Result<std::vector<Pool>> Admin::Pools(const CallOptions& options) {
  const auto response =
      impl_->Call(&Stub::ListPools, v1::ListPoolsRequest(), impl_->Deadline(options), options);
  if (!response) return std::unexpected(response.error());
  std::vector<Pool> pools;
  for (const v1::Pool& pool : response->pools()) pools.push_back(PoolOf(pool));
  return pools;
}

Result<Pool> Admin::GetPool(const std::string& pool, const CallOptions& options) {
  return PoolIn(impl_->Call(&Stub::GetPool, Naming<v1::GetPoolRequest>(pool),
                            impl_->Deadline(options), options));
}

Result<Pool> Admin::ResizePool(const std::string& pool, const Resize& resize,
                               const CallOptions& options) {
  auto request = Naming<v1::ResizePoolRequest>(pool);
  Fill(resize, &request);
  return PoolIn(impl_->Call(&Stub::ResizePool, request, impl_->Deadline(options), options));
}

Result<Pool> Admin::PausePool(const std::string& pool, const CallOptions& options) {
  return PoolIn(impl_->Call(&Stub::PausePool, Naming<v1::PausePoolRequest>(pool),
                            impl_->Deadline(options), options));
}

Result<Pool> Admin::ResumePool(const std::string& pool, const CallOptions& options) {
  return PoolIn(impl_->Call(&Stub::ResumePool, Naming<v1::ResumePoolRequest>(pool),
                            impl_->Deadline(options), options));
}

Result<Pool> Admin::DrainPool(const std::string& pool, const CallOptions& options) {
  return PoolIn(impl_->Call(&Stub::DrainPool, Naming<v1::DrainPoolRequest>(pool),
                            DeadlineIn(options.timeout), options));
}

Result<std::uint64_t> Admin::PurgePool(const std::string& pool, const CallOptions& options) {
  const auto response = impl_->Call(&Stub::PurgePool, Naming<v1::PurgePoolRequest>(pool),
                                    impl_->Deadline(options), options);
  if (!response) return std::unexpected(response.error());
  return response->purged();
}

Result<std::vector<HandlerInfo>> Admin::Handlers(const CallOptions& options) {
  const auto response = impl_->Call(&Stub::ListHandlers, v1::ListHandlersRequest(),
                                    impl_->Deadline(options), options);
  if (!response) return std::unexpected(response.error());
  std::vector<HandlerInfo> handlers;
  for (const v1::Handler& handler : response->handlers()) handlers.push_back(HandlerOf(handler));
  return handlers;
}

Result<ServerInfo> Admin::Info(const CallOptions& options) {
  const auto response = impl_->Call(&Stub::GetServerInfo, v1::GetServerInfoRequest(),
                                    impl_->Deadline(options), options);
  if (!response) return std::unexpected(response.error());
  return InfoOf(*response);
}

Result<Reloaded> Admin::Reload(const CallOptions& options) {
  const auto response = impl_->Call(&Stub::ReloadConfig, v1::ReloadConfigRequest(),
                                    impl_->Deadline(options), options);
  if (!response) return std::unexpected(response.error());
  return Reloaded{{response->applied().begin(), response->applied().end()},
                  {response->needs_restart().begin(), response->needs_restart().end()}};
}

Result<void> Admin::WatchStats(std::chrono::nanoseconds interval, const std::string& pool,
                               const std::function<bool(const Stats&)>& reading,
                               const CallOptions& options) {
  grpc::ClientContext context;
  SetDeadline(context, DeadlineIn(options.timeout));
  v1::WatchStatsRequest request;
  Fill(interval, request.mutable_interval());
  request.set_pool(pool);
  const StopCancel cancel(options.stop, Canceller(context));
  const auto stream = impl_->stub.WatchStats(&context, request);
  v1::WatchStatsResponse response;
  bool enough = false;
  while (!enough && stream->Read(&response)) enough = !reading(StatsOf(response));
  if (enough) context.TryCancel();
  const grpc::Status status = stream->Finish();
  if (enough) return {};
  if (status.ok()) return Refuse(StatusCode::kUnavailable, "the daemon ended the statistics");
  return std::unexpected(ErrorOf(status, context));
}

}  // namespace workpool::client
