#include "rpc/run_call.h"

#include <algorithm>
#include <span>
#include <utility>

#include "rpc/job_to_proto.h"
#include "rpc/time_convert.h"
#include "rpc/work_from_proto.h"

namespace workpool::rpc {

void RunCall::Start(v1::RunWorkRequest& request) {
  auto work = WorkOf(request);
  if (!work) return Refuse(work.error());
  detach_ = request.detach();
  started_ = SteadyTime::clock::now();
  deadline_ = ToSteady(context().deadline());
  PostRequest post{.work = std::move(*work),
                   .call_deadline = deadline_,
                   .run_deadline = detach_ ? std::nullopt : deadline_,
                   .finished = [self = shared_from_this()](Result<JobView> view) {
                     self->OnFinished(std::move(view));
                   }};
  ticket_ = dispatcher_.Post(std::move(post), [self = shared_from_this()](Result<Posted> posted) {
    self->OnPosted(posted);
  });
}

void RunCall::OnPosted(const Result<Posted>& posted) {
  if (!posted) return Refuse(posted.error());
  bool cancel = false;
  {
    MutexLock lock(mutex_);
    id_ = posted->id;
    cancel = cancelled_;
  }
  if (cancel) dispatcher_.Cancel(std::span(&posted->id, 1));
}

void RunCall::OnFinished(Result<JobView> view) {
  if (!view) return Refuse(view.error());
  if (!Claim()) return;
  ToProto(std::move(*view), false, *response_.mutable_job());
  Finish(grpc::Status::OK);
}

void RunCall::OnCancel() {
  dispatcher_.Abandon(ticket_);
  if (!detach_ && !DeadlineIsNear()) {
    JobId id = 0;
    {
      MutexLock lock(mutex_);
      cancelled_ = true;
      id = id_;
    }
    if (id != 0) dispatcher_.Cancel(std::span(&id, 1));
  }
  Call::OnCancel();
}

// A client's own timer ends the call a little before ours would. That is the deadline, which makes
// the job DEAD with TIMEOUT, and not a client that gave up, which makes it CANCELLED.
bool RunCall::DeadlineIsNear() const {
  if (!deadline_) return false;
  const auto margin =
      std::min<SteadyTime::duration>((*deadline_ - started_) / 10, std::chrono::milliseconds(100));
  return SteadyTime::clock::now() >= *deadline_ - margin;
}

}  // namespace workpool::rpc
