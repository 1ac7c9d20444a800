// Pools, handlers and the server as operators see them.
#pragma once

#include "jobs/config.h"
#include "jobs/control.h"
#include "jobs/dispatcher.h"
#include "workpool/v1/admin.pb.h"

namespace workpool::rpc {

void ToProto(const PoolView& view, v1::Pool& out);
void ToProto(const HandlerConfig& config, v1::Handler& out);
void ToProto(const ServerInfo& info, v1::GetServerInfoResponse& out);
void ToProto(const ReloadReport& report, v1::ReloadConfigResponse& out);

// kBadField where the request changes nothing or its duration is not valid; the sizes are the
// dispatcher's to check.
Result<ResizeRequest> ResizeFromProto(const v1::ResizePoolRequest& request);

}  // namespace workpool::rpc
