#include "rpc/drain_call.h"

#include "rpc/pool_to_proto.h"

namespace workpool::rpc {

void DrainCall::Start(const std::string& pool) {
  const auto begun =
      dispatcher_.Drain(pool, [self = shared_from_this(), pool](const Result<void>& result) {
        self->OnDrained(pool, result);
      });
  if (!begun) Refuse(begun.error());
}

void DrainCall::OnDrained(const std::string& pool, const Result<void>& result) {
  if (!result) return Refuse(result.error());
  const auto view = dispatcher_.Pool(pool);
  if (!view) return Refuse(view.error());
  if (!Claim()) return;
  ToProto(*view, *response_.mutable_pool());
  Finish(grpc::Status::OK);
}

}  // namespace workpool::rpc
