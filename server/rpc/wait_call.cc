#include "rpc/wait_call.h"

#include <utility>

#include "rpc/job_to_proto.h"

namespace workpool::rpc {

void WaitCall::Start(JobId id) {
  ticket_ = dispatcher_.Wait(
      id, [self = shared_from_this()](Result<JobView> view) { self->OnFinished(std::move(view)); });
}

void WaitCall::OnFinished(Result<JobView> view) {
  if (!view) return Refuse(view.error());
  if (!Claim()) return;
  ToProto(std::move(*view), false, *response_.mutable_job());
  Finish(grpc::Status::OK);
}

void WaitCall::OnCancel() {
  dispatcher_.CancelWait(ticket_);
  Call::OnCancel();
}

}  // namespace workpool::rpc
