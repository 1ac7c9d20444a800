#include "rpc/pool_to_proto.h"

#include <unistd.h>

#include <utility>

#include "base/names.h"
#include "rpc/time_convert.h"

namespace workpool::rpc {
namespace {

v1::WhenFull WhenFullToProto(WhenFull when_full) {
  return when_full == WhenFull::kWait ? v1::WHEN_FULL_WAIT : v1::WHEN_FULL_REJECT;
}

v1::Handler::Kind KindToProto(HandlerKind kind) {
  switch (kind) {
    case HandlerKind::kBuiltin: return v1::Handler::KIND_BUILTIN;
    case HandlerKind::kCpp: return v1::Handler::KIND_CPP;
    case HandlerKind::kCommand: return v1::Handler::KIND_COMMAND;
  }
  return v1::Handler::KIND_UNSPECIFIED;
}

v1::Pool::Sizing SizingToProto(Sizing sizing) {
  switch (sizing) {
    case Sizing::kFixed: return v1::Pool::SIZING_FIXED;
    case Sizing::kElastic: return v1::Pool::SIZING_ELASTIC;
    case Sizing::kAuto: return v1::Pool::SIZING_AUTO;
  }
  return v1::Pool::SIZING_UNSPECIFIED;
}

std::string Valid(const std::string& text) { return ToValidUtf8(text, text.size() * 3); }

void WriteSizes(const PoolView& view, v1::Pool& out) {
  out.set_workers(view.stats.limits.workers);
  out.set_configured_workers(view.configured.limits.workers);
  out.set_capacity(view.stats.limits.capacity);
  out.set_configured_capacity(view.configured.limits.capacity);
  out.set_capacity_bytes(view.stats.limits.capacity_bytes);
  out.set_sizing(SizingToProto(view.configured.sizing));
  if (view.configured.sizing != Sizing::kFixed) {
    out.set_min_workers(view.configured.min_workers);
    ToProto(view.configured.idle, *out.mutable_worker_idle());
  }
  if (view.tuning) {
    v1::SizingDecision& decision = *out.mutable_sizing_decision();
    decision.set_workers(view.tuning->last.workers);
    decision.set_reason(std::string(NameOf(view.tuning->last.reason)));
    decision.set_explanation(std::string(Explain(view.tuning->last.reason)));
    if (view.tuning->at != WallTime{}) ToProto(view.tuning->at, *decision.mutable_at());
  }
  out.set_workers_resized(view.workers_resized);
  if (view.resized_until) ToProto(*view.resized_until, *out.mutable_resized_until());
}

// Every post ends as accepted or rejected, or still waits; those refused before they reached the
// pool's admission count too.
void WriteCounts(const PoolView& view, v1::Pool& out) {
  const PoolStats& stats = view.stats;
  out.set_posted(stats.Posted() + view.invalid_posts);
  out.set_accepted(stats.accepted);
  out.set_rejected(stats.RefusedTotal() + view.invalid_posts);
  out.set_finished(view.finished);
  out.set_queued_peak(stats.queued_peak);
  out.set_active_peak(stats.active_peak);
}

}  // namespace

void ToProto(const PoolView& view, v1::Pool& out) {
  const PoolStats& stats = view.stats;
  out.set_name(view.configured.name);
  out.set_when_full(WhenFullToProto(view.configured.when_full));
  out.set_paused(stats.paused);
  out.set_draining(stats.draining);
  out.set_removed(view.removed);
  out.set_queued(stats.queued);
  out.set_queued_bytes(stats.queued_bytes);
  out.set_active(stats.active);
  out.set_places_taken(stats.places_taken);
  out.set_waiting_posts(stats.waiting);
  if (view.oldest_queued) ToProto(*view.oldest_queued, *out.mutable_oldest_queued());
  WriteSizes(view, out);
  WriteCounts(view, out);
}

void ToProto(const HandlerConfig& config, v1::Handler& out) {
  out.set_name(config.name);
  out.set_pool(config.pool);
  out.set_kind(KindToProto(config.kind));
  out.set_max_attempts(1);
  out.set_max_active(config.max_active);
  if (config.timeout.count() > 0) ToProto(config.timeout, *out.mutable_timeout());
  for (const std::string& argument : config.exec) out.add_exec(Valid(argument));
}

void ToProto(const ServerInfo& info, v1::GetServerInfoResponse& out) {
  out.set_version(info.version);
  ToProto(info.started_at, *out.mutable_started_at());
  out.set_store(info.store);
  out.set_config_file(Valid(info.config_file));
  out.set_max_payload_bytes(info.max_payload);
  out.set_max_result_bytes(info.max_result);
  out.set_max_message_bytes(info.max_message);
  out.set_shutting_down(info.shutting_down);
  out.set_cores(info.cores);
  out.set_pid(static_cast<std::uint32_t>(::getpid()));
}

void ToProto(const ReloadReport& report, v1::ReloadConfigResponse& out) {
  for (const std::string& line : report.applied) out.add_applied(Valid(line));
  for (const std::string& line : report.needs_restart) out.add_needs_restart(Valid(line));
}

Result<ResizeRequest> ResizeFromProto(const v1::ResizePoolRequest& request) {
  ResizeRequest resize;
  if (!request.has_workers() && !request.has_capacity() && !request.reset()) {
    return Fail(ErrorCode::kBadField, "workers: set at least one of workers, capacity and reset");
  }
  if (request.has_workers()) resize.workers = request.workers();
  if (request.has_capacity()) resize.capacity = request.capacity();
  resize.reset = request.reset();
  if (request.has_hold_for()) {
    auto hold_for = FromProto("hold_for", request.hold_for());
    if (!hold_for) return std::unexpected(std::move(hold_for.error()));
    resize.hold_for = *hold_for;
  }
  return resize;
}

}  // namespace workpool::rpc
