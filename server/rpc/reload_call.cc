#include "rpc/reload_call.h"

#include "rpc/pool_to_proto.h"

namespace workpool::rpc {

void ReloadCall::Reload() {
  const auto report = control_.Reload();
  if (!report) return Refuse(report.error());
  if (!Claim()) return;
  ToProto(*report, response_);
  Finish(grpc::Status::OK);
}

}  // namespace workpool::rpc
