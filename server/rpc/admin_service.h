// The service Admin of admin.proto: convert, call the dispatcher, convert back.
#pragma once

#include "jobs/control.h"
#include "jobs/dispatcher.h"
#include "rpc/live_calls.h"
#include "rpc/task_thread.h"
#include "workpool/v1/admin.grpc.pb.h"

namespace workpool::rpc {

class AdminService final : public v1::Admin::CallbackService {
 public:
  // All must outlive the server that this is registered with.
  AdminService(Dispatcher& dispatcher, ServerControl& control, LiveCalls& live,
               TaskThread& file_thread)
      : dispatcher_(dispatcher), control_(control), live_(live), file_thread_(file_thread) {}

  grpc::ServerUnaryReactor* ListPools(grpc::CallbackServerContext* context,
                                      const v1::ListPoolsRequest* request,
                                      v1::ListPoolsResponse* response) override;
  grpc::ServerUnaryReactor* GetPool(grpc::CallbackServerContext* context,
                                    const v1::GetPoolRequest* request,
                                    v1::GetPoolResponse* response) override;
  grpc::ServerUnaryReactor* ResizePool(grpc::CallbackServerContext* context,
                                       const v1::ResizePoolRequest* request,
                                       v1::ResizePoolResponse* response) override;
  grpc::ServerUnaryReactor* PausePool(grpc::CallbackServerContext* context,
                                      const v1::PausePoolRequest* request,
                                      v1::PausePoolResponse* response) override;
  grpc::ServerUnaryReactor* ResumePool(grpc::CallbackServerContext* context,
                                       const v1::ResumePoolRequest* request,
                                       v1::ResumePoolResponse* response) override;
  grpc::ServerUnaryReactor* DrainPool(grpc::CallbackServerContext* context,
                                      const v1::DrainPoolRequest* request,
                                      v1::DrainPoolResponse* response) override;
  grpc::ServerUnaryReactor* PurgePool(grpc::CallbackServerContext* context,
                                      const v1::PurgePoolRequest* request,
                                      v1::PurgePoolResponse* response) override;
  grpc::ServerUnaryReactor* ListHandlers(grpc::CallbackServerContext* context,
                                         const v1::ListHandlersRequest* request,
                                         v1::ListHandlersResponse* response) override;
  grpc::ServerUnaryReactor* GetServerInfo(grpc::CallbackServerContext* context,
                                          const v1::GetServerInfoRequest* request,
                                          v1::GetServerInfoResponse* response) override;
  grpc::ServerUnaryReactor* ReloadConfig(grpc::CallbackServerContext* context,
                                         const v1::ReloadConfigRequest* request,
                                         v1::ReloadConfigResponse* response) override;
  grpc::ServerWriteReactor<v1::WatchStatsResponse>* WatchStats(
      grpc::CallbackServerContext* context, const v1::WatchStatsRequest* request) override;

 private:
  Dispatcher& dispatcher_;
  ServerControl& control_;
  LiveCalls& live_;
  TaskThread& file_thread_;
};

}  // namespace workpool::rpc
