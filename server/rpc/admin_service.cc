#include "rpc/admin_service.h"

#include <memory>
#include <utility>

#include "base/names.h"
#include "rpc/drain_call.h"
#include "rpc/pool_to_proto.h"
#include "rpc/reload_call.h"
#include "rpc/reply.h"
#include "rpc/watch_stream.h"

namespace workpool::rpc {
namespace {

// Answers a call with the pool that it has changed or read.
template <typename Response>
grpc::ServerUnaryReactor* ReplyPool(grpc::CallbackServerContext& context,
                                    const Result<PoolView>& view, Response& response) {
  if (!view) return Reply(context, std::unexpected(view.error()));
  ToProto(*view, *response.mutable_pool());
  return Reply(context, {});
}

// `action` on the pool that the request names, if it may be a pool's name.
template <typename Request, typename Action>
auto WithPool(const Request& request, Action action) -> decltype(action(request.pool())) {
  if (auto ok = CheckName("pool", request.pool()); !ok) {
    return std::unexpected(std::move(ok.error()));
  }
  return action(request.pool());
}

}  // namespace

grpc::ServerUnaryReactor* AdminService::ListPools(grpc::CallbackServerContext* context,
                                                  const v1::ListPoolsRequest*,
                                                  v1::ListPoolsResponse* response) {
  for (const PoolView& view : dispatcher_.Pools()) ToProto(view, *response->add_pools());
  return Reply(*context, {});
}

grpc::ServerUnaryReactor* AdminService::GetPool(grpc::CallbackServerContext* context,
                                                const v1::GetPoolRequest* request,
                                                v1::GetPoolResponse* response) {
  const auto view = WithPool(*request, [&](const auto& name) { return dispatcher_.Pool(name); });
  return ReplyPool(*context, view, *response);
}

grpc::ServerUnaryReactor* AdminService::ResizePool(grpc::CallbackServerContext* context,
                                                   const v1::ResizePoolRequest* request,
                                                   v1::ResizePoolResponse* response) {
  const auto view = WithPool(*request, [&](const auto& name) -> Result<PoolView> {
    auto resize = ResizeFromProto(*request);
    if (!resize) return std::unexpected(std::move(resize.error()));
    return dispatcher_.Resize(name, *resize);
  });
  return ReplyPool(*context, view, *response);
}

grpc::ServerUnaryReactor* AdminService::PausePool(grpc::CallbackServerContext* context,
                                                  const v1::PausePoolRequest* request,
                                                  v1::PausePoolResponse* response) {
  const auto view = WithPool(*request, [&](const auto& name) { return dispatcher_.Pause(name); });
  return ReplyPool(*context, view, *response);
}

grpc::ServerUnaryReactor* AdminService::ResumePool(grpc::CallbackServerContext* context,
                                                   const v1::ResumePoolRequest* request,
                                                   v1::ResumePoolResponse* response) {
  const auto view = WithPool(*request, [&](const auto& name) { return dispatcher_.Resume(name); });
  return ReplyPool(*context, view, *response);
}

grpc::ServerUnaryReactor* AdminService::DrainPool(grpc::CallbackServerContext* context,
                                                  const v1::DrainPoolRequest* request,
                                                  v1::DrainPoolResponse* response) {
  if (auto ok = CheckName("pool", request->pool()); !ok) return Reply(*context, ok);
  auto call = std::make_shared<DrainCall>(live_, *context, dispatcher_, *response);
  call->Start(request->pool());
  return Call::Launch(std::move(call));
}

grpc::ServerUnaryReactor* AdminService::PurgePool(grpc::CallbackServerContext* context,
                                                  const v1::PurgePoolRequest* request,
                                                  v1::PurgePoolResponse* response) {
  const auto purged = WithPool(*request, [&](const auto& name) { return dispatcher_.Purge(name); });
  if (!purged) return Reply(*context, std::unexpected(purged.error()));
  response->set_purged(*purged);
  return Reply(*context, {});
}

grpc::ServerUnaryReactor* AdminService::ListHandlers(grpc::CallbackServerContext* context,
                                                     const v1::ListHandlersRequest*,
                                                     v1::ListHandlersResponse* response) {
  for (const HandlerConfig& handler : dispatcher_.Handlers()) {
    ToProto(handler, *response->add_handlers());
  }
  return Reply(*context, {});
}

grpc::ServerUnaryReactor* AdminService::GetServerInfo(grpc::CallbackServerContext* context,
                                                      const v1::GetServerInfoRequest*,
                                                      v1::GetServerInfoResponse* response) {
  ToProto(control_.Info(), *response);
  return Reply(*context, {});
}

grpc::ServerUnaryReactor* AdminService::ReloadConfig(grpc::CallbackServerContext* context,
                                                     const v1::ReloadConfigRequest*,
                                                     v1::ReloadConfigResponse* response) {
  auto call = std::make_shared<ReloadCall>(live_, *context, control_, *response);
  call->Start(file_thread_);
  return Call::Launch(std::move(call));
}

grpc::ServerWriteReactor<v1::WatchStatsResponse>* AdminService::WatchStats(
    grpc::CallbackServerContext* context, const v1::WatchStatsRequest* request) {
  auto spec = WatchSpecFromProto(dispatcher_, *request);
  if (!spec) return RefuseWatch(*context, spec.error());
  return WatchStream::Launch(dispatcher_, live_, std::move(*spec));
}

}  // namespace workpool::rpc
