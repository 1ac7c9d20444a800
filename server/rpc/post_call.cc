#include "rpc/post_call.h"

#include <utility>

#include "rpc/job_to_proto.h"
#include "rpc/time_convert.h"
#include "rpc/work_from_proto.h"

namespace workpool::rpc {

void PostCall::Start(v1::PostWorkRequest& request) {
  auto work = WorkOf(request);
  if (!work) return Refuse(work.error());
  PostRequest post{.work = std::move(*work),
                   .call_deadline = ToSteady(context().deadline()),
                   .run_deadline = std::nullopt,
                   .finished = nullptr};
  wait_ = request.wait();
  if (wait_) {
    post.finished = [self = shared_from_this()](Result<JobView> view) {
      self->OnFinished(std::move(view));
    };
  }
  ticket_ = dispatcher_.Post(std::move(post), [self = shared_from_this()](Result<Posted> posted) {
    self->OnPosted(posted);
  });
}

void PostCall::OnPosted(const Result<Posted>& posted) {
  if (!posted) return Refuse(posted.error());
  if (wait_ || !Claim()) return;
  response_.set_id(posted->id);
  response_.set_duplicate(posted->duplicate);
  Finish(grpc::Status::OK);
}

void PostCall::OnFinished(Result<JobView> view) {
  if (!view) return Refuse(view.error());
  if (!Claim()) return;
  response_.set_id(view->job->id);
  ToProto(std::move(*view), false, *response_.mutable_job());
  Finish(grpc::Status::OK);
}

void PostCall::OnCancel() {
  dispatcher_.Abandon(ticket_);
  Call::OnCancel();
}

}  // namespace workpool::rpc
