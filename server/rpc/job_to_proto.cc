#include "rpc/job_to_proto.h"

#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/names.h"
#include "rpc/time_convert.h"

namespace workpool::rpc {
namespace {

// A byte that is not valid becomes a U+FFFD, three bytes: nothing is cut here.
std::string Valid(std::string_view text) { return ToValidUtf8(text, text.size() * 3); }

void WriteConstants(const Job& job, bool with_payload, v1::Job& out) {
  out.set_id(job.id);
  out.set_handler(std::string(job.handler));
  out.set_pool(std::string(job.pool));
  out.set_max_attempts(static_cast<std::uint32_t>(job.max_attempts));
  out.set_priority(static_cast<std::uint32_t>(job.priority));
  out.set_weight(job.weight);
  if (!job.caller.empty()) out.set_caller(Valid(job.caller));
  if (!job.content_type.empty()) out.set_content_type(Valid(job.content_type));
  if (job.metadata != nullptr) {
    for (const auto& [key, value] : *job.metadata) {
      (*out.mutable_metadata())[Valid(key)] = Valid(value);
    }
  }
  if (job.timeout.count() > 0) ToProto(job.timeout, *out.mutable_timeout());
  ToProto(job.accepted_at, *out.mutable_accepted_at());
  if (with_payload) out.set_payload(job.payload.data(), job.payload.size());
  out.set_payload_bytes(job.payload.size());
}

void WriteTimes(const JobView& view, v1::Job& out) {
  if (view.started_at) ToProto(*view.started_at, *out.mutable_started_at());
  if (view.finished_at) ToProto(*view.finished_at, *out.mutable_finished_at());
  ToProto(view.queue_wait, *out.mutable_queue_wait());
  if (view.started_at) ToProto(view.run_time, *out.mutable_run_time());
}

void WriteOutcome(JobView& view, v1::Job& out) {
  out.set_result_bytes(view.result.size());
  out.set_result(std::move(view.result));
  out.set_result_truncated(view.result_truncated);
  if (view.failure) {
    out.mutable_error()->set_code(Valid(view.failure->code));
    out.mutable_error()->set_message(Valid(view.failure->message));
    out.mutable_error()->set_no_retry(view.failure->no_retry);
  }
  if (!view.log.empty()) out.set_log(Valid(view.log));
  out.set_log_truncated(view.log_truncated);
}

}  // namespace

v1::JobState ToProto(JobState state) {
  switch (state) {
    case JobState::kScheduled: return v1::JOB_STATE_SCHEDULED;
    case JobState::kRetrying: return v1::JOB_STATE_RETRYING;
    case JobState::kQueued: return v1::JOB_STATE_QUEUED;
    case JobState::kActive: return v1::JOB_STATE_ACTIVE;
    case JobState::kSucceeded: return v1::JOB_STATE_SUCCEEDED;
    case JobState::kDead: return v1::JOB_STATE_DEAD;
    case JobState::kCancelled: return v1::JOB_STATE_CANCELLED;
    case JobState::kExpired: return v1::JOB_STATE_EXPIRED;
  }
  return v1::JOB_STATE_UNSPECIFIED;
}

void ToProto(JobView view, bool with_payload, v1::Job& out) {
  WriteConstants(*view.job, with_payload, out);
  out.set_state(ToProto(view.state));
  out.set_attempt(static_cast<std::uint32_t>(view.attempt));
  out.set_stopping(view.stopping);
  if (view.worker) out.set_worker(*view.worker);
  if (view.progress) out.set_progress(*view.progress);
  if (!view.progress_note.empty()) out.set_progress_note(Valid(view.progress_note));
  WriteTimes(view, out);
  WriteOutcome(view, out);
}

}  // namespace workpool::rpc
