// The Admin service as a test wants it: it notes every call and answers for one pool.
#pragma once

#include <grpcpp/grpcpp.h>

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fakes/call_holder.h"
#include "fakes/refusals.h"
#include "workpool/v1/admin.grpc.pb.h"

namespace workpool::fakes {

class FakeAdmin : protected v1::Admin::Service {
 public:
  // A drain is held up by `holder`.
  explicit FakeAdmin(CallHolder& holder) : holder_(holder) {}

  // Set before the call that it is for.
  v1::Pool& pool() { return pool_; }
  // In the place of every Admin call's answer.
  void set_admin_status(grpc::Status status, std::string reason) {
    const std::lock_guard lock(mutex_);
    admin_status_ = std::move(status);
    admin_reason_ = std::move(reason);
  }

  // All calls with what they asked for, in order.
  std::vector<std::string> admin_calls() {
    const std::lock_guard lock(mutex_);
    return admin_calls_;
  }

 private:
  // Notes the call; answers `pool()` for the pool of that name.
  grpc::Status Asked(const std::string& call, const std::string& argument,
                     grpc::ServerContext& context) {
    const std::lock_guard lock(mutex_);
    admin_calls_.push_back(argument.empty() ? call : call + " " + argument);
    if (!admin_status_.ok() && !admin_reason_.empty()) {
      context.AddTrailingMetadata("workpool-reason", admin_reason_);
    }
    return admin_status_;
  }
  grpc::Status AskedFor(const std::string& call, const std::string& name,
                        grpc::ServerContext& context, v1::Pool* answer) {
    const grpc::Status status = Asked(call, name, context);
    if (!status.ok()) return status;
    if (name != pool_.name()) {
      return NotFound("UNKNOWN_POOL", "there is no pool \"" + name + "\"", context);
    }
    *answer = pool_;
    return status;
  }

  grpc::Status ListPools(grpc::ServerContext* context, const v1::ListPoolsRequest*,
                         v1::ListPoolsResponse* response) override {
    *response->add_pools() = pool_;
    return Asked("ListPools", "", *context);
  }
  grpc::Status GetPool(grpc::ServerContext* context, const v1::GetPoolRequest* request,
                       v1::GetPoolResponse* response) override {
    return AskedFor("GetPool", request->pool(), *context, response->mutable_pool());
  }
  grpc::Status ResizePool(grpc::ServerContext* context, const v1::ResizePoolRequest* request,
                          v1::ResizePoolResponse* response) override {
    Asked("ResizePool", request->ShortDebugString(), *context);
    if (request->has_workers()) {
      pool_.set_workers(request->workers());
      pool_.set_workers_resized(true);
      pool_.clear_resized_until();
      if (request->has_hold_for()) pool_.mutable_resized_until()->set_seconds(4'000'000'000);
    }
    return AskedFor("ResizePool", request->pool(), *context, response->mutable_pool());
  }
  grpc::Status PausePool(grpc::ServerContext* context, const v1::PausePoolRequest* request,
                         v1::PausePoolResponse* response) override {
    return AskedFor("PausePool", request->pool(), *context, response->mutable_pool());
  }
  grpc::Status ResumePool(grpc::ServerContext* context, const v1::ResumePoolRequest* request,
                          v1::ResumePoolResponse* response) override {
    return AskedFor("ResumePool", request->pool(), *context, response->mutable_pool());
  }
  grpc::Status DrainPool(grpc::ServerContext* context, const v1::DrainPoolRequest* request,
                         v1::DrainPoolResponse* response) override {
    if (!holder_.AwaitRelease(*context)) return grpc::Status::CANCELLED;
    return AskedFor("DrainPool", request->pool(), *context, response->mutable_pool());
  }
  grpc::Status PurgePool(grpc::ServerContext* context, const v1::PurgePoolRequest* request,
                         v1::PurgePoolResponse* response) override {
    v1::Pool pool;
    response->set_purged(7);
    return AskedFor("PurgePool", request->pool(), *context, &pool);
  }
  grpc::Status ListHandlers(grpc::ServerContext* context, const v1::ListHandlersRequest*,
                            v1::ListHandlersResponse* response) override {
    v1::Handler& handler = *response->add_handlers();
    handler.set_name("checksum");
    handler.set_pool("default");
    handler.set_kind(v1::Handler::KIND_COMMAND);
    handler.add_exec("sha256sum");
    handler.mutable_timeout()->set_seconds(30);
    handler.set_max_attempts(1);
    return Asked("ListHandlers", "", *context);
  }
  grpc::Status GetServerInfo(grpc::ServerContext* context, const v1::GetServerInfoRequest*,
                             v1::GetServerInfoResponse* response) override {
    response->set_version("0.1.0");
    response->set_store("memory");
    response->set_pid(42);
    response->set_cores(1.5);
    response->set_max_payload_bytes(3 * 1024 * 1024);
    return Asked("GetServerInfo", "", *context);
  }
  grpc::Status ReloadConfig(grpc::ServerContext* context, const v1::ReloadConfigRequest*,
                            v1::ReloadConfigResponse* response) override {
    response->add_applied("pools.default.workers: 2 -> 4");
    response->add_needs_restart("server.listen");
    return Asked("ReloadConfig", "", *context);
  }
  // As many readings as the client takes, one after the other.
  grpc::Status WatchStats(grpc::ServerContext* context, const v1::WatchStatsRequest* request,
                          grpc::ServerWriter<v1::WatchStatsResponse>* writer) override {
    const grpc::Status status = Asked("WatchStats", request->ShortDebugString(), *context);
    if (!status.ok()) return status;
    v1::WatchStatsResponse reading;
    reading.mutable_at()->set_seconds(1'700'000'000);
    *reading.add_pools()->mutable_pool() = pool_;
    reading.mutable_pools(0)->set_accepted_per_second(12.5);
    while (!context->IsCancelled() && writer->Write(reading)) {
    }
    return grpc::Status::CANCELLED;
  }

  CallHolder& holder_;
  v1::Pool pool_;
  std::mutex mutex_;
  grpc::Status admin_status_;
  std::string admin_reason_;
  std::vector<std::string> admin_calls_;
};

}  // namespace workpool::fakes
