#include "convert.h"

#include <utility>

namespace workpool::client {

namespace {

WhenFull WhenFullOf(v1::WhenFull when_full) {
  switch (when_full) {
    case v1::WHEN_FULL_REJECT: return WhenFull::kReject;
    case v1::WHEN_FULL_WAIT: return WhenFull::kWait;
    default: return WhenFull::kPoolDefault;
  }
}

WallTime TimeOf(const google::protobuf::Timestamp& from) {
  return WallTime(std::chrono::duration_cast<WallTime::duration>(
      std::chrono::seconds(from.seconds()) + std::chrono::nanoseconds(from.nanos())));
}

template <typename Proto>
std::optional<WallTime> TimeIf(bool has, const Proto& from) {
  return has ? std::optional(TimeOf(from)) : std::nullopt;
}

std::optional<std::chrono::nanoseconds> DurationIf(bool has,
                                                   const google::protobuf::Duration& from) {
  return has ? std::optional(DurationOf(from)) : std::nullopt;
}

void TakeTimes(const v1::Job& from, Job& job) {
  job.timeout = DurationIf(from.has_timeout(), from.timeout());
  job.accepted_at = TimeIf(from.has_accepted_at(), from.accepted_at());
  job.started_at = TimeIf(from.has_started_at(), from.started_at());
  job.finished_at = TimeIf(from.has_finished_at(), from.finished_at());
  job.queue_wait = DurationIf(from.has_queue_wait(), from.queue_wait());
  job.run_time = DurationIf(from.has_run_time(), from.run_time());
}

void TakeOutcome(v1::Job& from, Job& job) {
  job.result = std::move(*from.mutable_result());
  job.result_bytes = from.result_bytes();
  job.result_truncated = from.result_truncated();
  if (from.has_error()) {
    job.error = JobError{from.error().code(), from.error().message(), from.error().no_retry()};
  }
  job.log = std::move(*from.mutable_log());
  job.log_truncated = from.log_truncated();
}

}  // namespace

void Fill(const Work& from, v1::Work* to) {
  to->set_handler(from.handler);
  if (!from.pool.empty()) to->set_pool(from.pool);
  if (!from.payload.empty()) to->set_payload(from.payload);
  if (!from.content_type.empty()) to->set_content_type(from.content_type);
  if (!from.caller.empty()) to->set_caller(from.caller);
  if (from.priority) to->set_priority(*from.priority);
  if (from.weight) to->set_weight(*from.weight);
  if (from.timeout) Fill(*from.timeout, to->mutable_timeout());
  for (const auto& [key, value] : from.metadata) (*to->mutable_metadata())[key] = value;
  if (from.when_full != WhenFull::kPoolDefault) to->set_when_full(ProtoOf(from.when_full));
  if (from.wait_timeout) Fill(*from.wait_timeout, to->mutable_wait_timeout());
}

void Fill(const JobFilter& from, v1::JobFilter* to) {
  to->set_pool(from.pool);
  to->set_handler(from.handler);
  for (const JobState state : from.states) to->add_states(static_cast<v1::JobState>(state));
  if (from.accepted_after) Fill(*from.accepted_after, to->mutable_accepted_after());
  if (from.accepted_before) Fill(*from.accepted_before, to->mutable_accepted_before());
}

void Fill(std::chrono::nanoseconds from, google::protobuf::Duration* to) {
  to->set_seconds(from.count() / 1'000'000'000);
  to->set_nanos(static_cast<std::int32_t>(from.count() % 1'000'000'000));
}

void Fill(WallTime from, google::protobuf::Timestamp* to) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(from);
  to->set_seconds(seconds.time_since_epoch().count());
  const std::chrono::nanoseconds rest = from - seconds;
  to->set_nanos(static_cast<std::int32_t>(rest.count()));
}

void Fill(const Resize& from, v1::ResizePoolRequest* to) {
  if (from.workers) to->set_workers(*from.workers);
  if (from.capacity) to->set_capacity(*from.capacity);
  if (from.hold_for) Fill(*from.hold_for, to->mutable_hold_for());
  to->set_reset(from.reset);
}

std::chrono::nanoseconds DurationOf(const google::protobuf::Duration& from) {
  return std::chrono::seconds(from.seconds()) + std::chrono::nanoseconds(from.nanos());
}

v1::WhenFull ProtoOf(WhenFull when_full) {
  switch (when_full) {
    case WhenFull::kReject: return v1::WHEN_FULL_REJECT;
    case WhenFull::kWait: return v1::WHEN_FULL_WAIT;
    case WhenFull::kPoolDefault: break;
  }
  return v1::WHEN_FULL_UNSPECIFIED;
}

Job JobOf(v1::Job&& from) {
  Job job;
  job.id = from.id();
  job.handler = std::move(*from.mutable_handler());
  job.pool = std::move(*from.mutable_pool());
  job.state = static_cast<JobState>(from.state());
  job.attempt = from.attempt();
  job.max_attempts = from.max_attempts();
  job.priority = from.priority();
  job.weight = from.weight();
  job.caller = std::move(*from.mutable_caller());
  job.content_type = std::move(*from.mutable_content_type());
  job.metadata = {from.metadata().begin(), from.metadata().end()};
  TakeTimes(from, job);
  job.stopping = from.stopping();
  if (from.has_progress()) job.progress = from.progress();
  job.progress_note = std::move(*from.mutable_progress_note());
  if (from.has_worker()) job.worker = from.worker();
  job.payload = std::move(*from.mutable_payload());
  job.payload_bytes = from.payload_bytes();
  TakeOutcome(from, job);
  return job;
}

Result<Posted> OutcomeOf(v1::PostResult&& from) {
  if (!from.has_refusal()) return Posted{from.id(), from.duplicate()};
  v1::PostRefusal& refusal = *from.mutable_refusal();
  Error error{static_cast<StatusCode>(refusal.code()),
              std::move(*refusal.mutable_reason()),
              std::move(*refusal.mutable_message()),
              {}};
  if (refusal.has_retry_after()) {
    error.retry_after =
        std::chrono::ceil<std::chrono::milliseconds>(DurationOf(refusal.retry_after()));
  }
  return std::unexpected(std::move(error));
}

Pool PoolOf(const v1::Pool& from) {
  Pool pool;
  pool.name = from.name();
  pool.workers = from.workers();
  pool.configured_workers = from.configured_workers();
  pool.capacity = from.capacity();
  pool.configured_capacity = from.configured_capacity();
  pool.capacity_bytes = from.capacity_bytes();
  pool.when_full = WhenFullOf(from.when_full());
  pool.paused = from.paused();
  pool.draining = from.draining();
  pool.removed = from.removed();
  pool.resized_until = TimeIf(from.has_resized_until(), from.resized_until());
  pool.sizing = static_cast<Sizing>(from.sizing());
  if (from.has_min_workers()) pool.min_workers = from.min_workers();
  pool.worker_idle = DurationIf(from.has_worker_idle(), from.worker_idle());
  pool.workers_resized = from.workers_resized();
  if (from.has_sizing_decision()) {
    const v1::SizingDecision& decision = from.sizing_decision();
    pool.sizing_decision =
        SizingDecision{decision.workers(), decision.reason(), decision.explanation(),
                       TimeIf(decision.has_at(), decision.at())};
  }
  pool.queued = from.queued();
  pool.queued_bytes = from.queued_bytes();
  pool.active = from.active();
  pool.places_taken = from.places_taken();
  pool.waiting_posts = from.waiting_posts();
  pool.queued_peak = from.queued_peak();
  pool.active_peak = from.active_peak();
  pool.posted = from.posted();
  pool.accepted = from.accepted();
  pool.rejected = from.rejected();
  pool.finished = from.finished();
  pool.oldest_queued = DurationIf(from.has_oldest_queued(), from.oldest_queued());
  return pool;
}

Stats StatsOf(const v1::WatchStatsResponse& from) {
  Stats stats;
  stats.at = TimeIf(from.has_at(), from.at());
  for (const v1::PoolStats& pool : from.pools()) {
    stats.pools.push_back({PoolOf(pool.pool()), pool.accepted_per_second(),
                           pool.finished_per_second(), pool.rejected_per_second()});
  }
  return stats;
}

HandlerInfo HandlerOf(const v1::Handler& from) {
  HandlerInfo handler;
  handler.name = from.name();
  handler.pool = from.pool();
  handler.kind = static_cast<HandlerKind>(from.kind());
  handler.timeout = DurationIf(from.has_timeout(), from.timeout());
  handler.max_attempts = from.max_attempts();
  handler.max_active = from.max_active();
  handler.exec = {from.exec().begin(), from.exec().end()};
  return handler;
}

ServerInfo InfoOf(const v1::GetServerInfoResponse& from) {
  ServerInfo info;
  info.version = from.version();
  info.started_at = TimeIf(from.has_started_at(), from.started_at());
  info.store = from.store();
  info.config_file = from.config_file();
  info.max_payload_bytes = from.max_payload_bytes();
  info.max_result_bytes = from.max_result_bytes();
  info.max_message_bytes = from.max_message_bytes();
  info.shutting_down = from.shutting_down();
  info.pid = from.pid();
  info.cores = from.cores();
  return info;
}

}  // namespace workpool::client
