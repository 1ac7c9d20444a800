// Between the public types and the protocol's messages.
#pragma once

#include <google/protobuf/duration.pb.h>
#include <google/protobuf/timestamp.pb.h>

#include <chrono>
#include <optional>
#include <utility>

#include "workpool/client/error.h"
#include "workpool/client/job.h"
#include "workpool/client/pool.h"
#include "workpool/client/work.h"
#include "workpool/v1/admin.pb.h"
#include "workpool/v1/job.pb.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::client {

// `to` must be empty.
void Fill(const Work& from, v1::Work* to);
void Fill(const JobFilter& from, v1::JobFilter* to);
void Fill(std::chrono::nanoseconds from, google::protobuf::Duration* to);
void Fill(WallTime from, google::protobuf::Timestamp* to);
void Fill(const Resize& from, v1::ResizePoolRequest* to);

v1::WhenFull ProtoOf(WhenFull when_full);

// Takes the strings out of `from`.
Job JobOf(v1::Job&& from);
// The job that an answer carries.
template <typename Response>
Result<Job> JobIn(Result<Response> response) {
  if (!response) return std::unexpected(std::move(response.error()));
  return JobOf(std::move(*response->mutable_job()));
}
Result<Posted> OutcomeOf(v1::PostResult&& from);
std::chrono::nanoseconds DurationOf(const google::protobuf::Duration& from);

Pool PoolOf(const v1::Pool& from);
Stats StatsOf(const v1::WatchStatsResponse& from);
HandlerInfo HandlerOf(const v1::Handler& from);
ServerInfo InfoOf(const v1::GetServerInfoResponse& from);

}  // namespace workpool::client
