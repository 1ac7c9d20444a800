#include "rpc/work_pool_service.h"

#include <memory>
#include <utility>

#include "rpc/batch_call.h"
#include "rpc/filter_from_proto.h"
#include "rpc/job_to_proto.h"
#include "rpc/list_jobs.h"
#include "rpc/post_call.h"
#include "rpc/reply.h"
#include "rpc/run_call.h"
#include "rpc/wait_call.h"
#include "rpc/work_from_proto.h"

namespace workpool::rpc {
namespace {

Result<void> CheckId(JobId id) {
  if (id != 0) return {};
  return Fail(ErrorCode::kBadField, "id: 0 is no job's id, they start at 1");
}

}  // namespace

grpc::ServerUnaryReactor* WorkPoolService::PostWork(grpc::CallbackServerContext* context,
                                                    const v1::PostWorkRequest* request,
                                                    v1::PostWorkResponse* response) {
  auto call = std::make_shared<PostCall>(live_, *context, dispatcher_, *response);
  call->Start(Consume(request));
  return Call::Launch(std::move(call));
}

grpc::ServerUnaryReactor* WorkPoolService::PostWorkBatch(grpc::CallbackServerContext* context,
                                                         const v1::PostWorkBatchRequest* request,
                                                         v1::PostWorkBatchResponse* response) {
  auto call = std::make_shared<BatchCall>(live_, *context, dispatcher_, *response);
  call->Start(Consume(request));
  return Call::Launch(std::move(call));
}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* WorkPoolService::PostWorkStream(
    grpc::CallbackServerContext* context) {
  return PostStream::Launch(*context, dispatcher_, live_, window_);
}

grpc::ServerUnaryReactor* WorkPoolService::RunWork(grpc::CallbackServerContext* context,
                                                   const v1::RunWorkRequest* request,
                                                   v1::RunWorkResponse* response) {
  auto call = std::make_shared<RunCall>(live_, *context, dispatcher_, *response);
  call->Start(Consume(request));
  return Call::Launch(std::move(call));
}

grpc::ServerUnaryReactor* WorkPoolService::GetJob(grpc::CallbackServerContext* context,
                                                  const v1::GetJobRequest* request,
                                                  v1::GetJobResponse* response) {
  if (auto ok = CheckId(request->id()); !ok) return Reply(*context, ok);
  auto view = dispatcher_.Get(request->id());
  if (!view) return Reply(*context, std::unexpected(std::move(view.error())));
  ToProto(std::move(*view), request->with_payload(), *response->mutable_job());
  return Reply(*context, {});
}

grpc::ServerUnaryReactor* WorkPoolService::WaitJob(grpc::CallbackServerContext* context,
                                                   const v1::WaitJobRequest* request,
                                                   v1::WaitJobResponse* response) {
  if (auto ok = CheckId(request->id()); !ok) return Reply(*context, ok);
  auto call = std::make_shared<WaitCall>(live_, *context, dispatcher_, *response);
  call->Start(request->id());
  return Call::Launch(std::move(call));
}

grpc::ServerUnaryReactor* WorkPoolService::ListJobs(grpc::CallbackServerContext* context,
                                                    const v1::ListJobsRequest* request,
                                                    v1::ListJobsResponse* response) {
  return Reply(*context, rpc::ListJobs(dispatcher_, *request, *response));
}

grpc::ServerUnaryReactor* WorkPoolService::CancelJobs(grpc::CallbackServerContext* context,
                                                      const v1::CancelJobsRequest* request,
                                                      v1::CancelJobsResponse* response) {
  auto target = TargetFromProto(*request);
  if (!target) return Reply(*context, std::unexpected(std::move(target.error())));
  const auto report = target->ids.empty() ? dispatcher_.CancelMatching(target->filter)
                                          : dispatcher_.Cancel(target->ids);
  response->set_cancelled(report.cancelled);
  response->mutable_not_found()->Add(report.not_found.begin(), report.not_found.end());
  return Reply(*context, {});
}

}  // namespace workpool::rpc
