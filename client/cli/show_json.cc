#include <fmt/chrono.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/names.h"
#include "base64.h"
#include "show.h"

namespace workpool::cli {

using nlohmann::ordered_json;

namespace {

double SecondsOf(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

void PutBytes(ordered_json& json, const std::string& name, const std::string& bytes) {
  const bool text = bytes.find('\0') == std::string::npos &&
                    ToValidUtf8(bytes, bytes.size()).size() == bytes.size() &&
                    ToValidUtf8(bytes, bytes.size()) == bytes;
  if (text) {
    json[name] = bytes;
  } else {
    json[name + "_base64"] = ToBase64(bytes);
  }
}

void PutIf(ordered_json& json, const char* name, const std::string& text) {
  if (!text.empty()) json[name] = text;
}

void PutIf(ordered_json& json, const char* name, const std::optional<client::WallTime>& at) {
  if (at) json[name] = InstantText(*at);
}

void PutIf(ordered_json& json, const char* name,
           const std::optional<std::chrono::nanoseconds>& duration) {
  if (duration) json[name] = SecondsOf(*duration);
}

void PutTimes(ordered_json& json, const client::Job& job) {
  PutIf(json, "timeout_seconds", job.timeout);
  PutIf(json, "accepted_at", job.accepted_at);
  PutIf(json, "started_at", job.started_at);
  PutIf(json, "finished_at", job.finished_at);
  PutIf(json, "queue_wait_seconds", job.queue_wait);
  PutIf(json, "run_seconds", job.run_time);
}

void PutOutcome(ordered_json& json, const client::Job& job) {
  json["result_bytes"] = job.result_bytes;
  if (job.state == client::JobState::kSucceeded || !job.result.empty()) {
    PutBytes(json, "result", job.result);
  }
  if (job.result_truncated) json["result_truncated"] = true;
  if (job.error) {
    json["error"] = {{"code", job.error->code},
                     {"message", job.error->message},
                     {"no_retry", job.error->no_retry}};
  }
  PutIf(json, "log", job.log);
  if (job.log_truncated) json["log_truncated"] = true;
}

}  // namespace

ordered_json JsonOf(const client::Job& job) {
  ordered_json json = {{"id", std::to_string(job.id)},
                       {"handler", job.handler},
                       {"pool", job.pool},
                       {"state", client::NameOf(job.state)},
                       {"attempt", job.attempt},
                       {"max_attempts", job.max_attempts},
                       {"priority", job.priority},
                       {"weight", job.weight}};
  PutIf(json, "caller", job.caller);
  PutIf(json, "content_type", job.content_type);
  if (!job.metadata.empty()) json["metadata"] = job.metadata;
  PutTimes(json, job);
  if (job.stopping) json["stopping"] = true;
  if (job.progress) json["progress"] = *job.progress;
  PutIf(json, "progress_note", job.progress_note);
  if (job.worker) json["worker"] = *job.worker;
  json["payload_bytes"] = job.payload_bytes;
  if (!job.payload.empty()) PutBytes(json, "payload", job.payload);
  if (client::IsFinal(job.state)) PutOutcome(json, job);
  return json;
}

ordered_json JsonOf(const client::Pool& pool) {
  ordered_json json = {{"name", pool.name},
                       {"workers", pool.workers},
                       {"configured_workers", pool.configured_workers},
                       {"capacity", pool.capacity},
                       {"configured_capacity", pool.configured_capacity},
                       {"capacity_bytes", pool.capacity_bytes},
                       {"when_full", pool.when_full == client::WhenFull::kWait ? "wait" : "reject"},
                       {"state", StateOf(pool)},
                       {"paused", pool.paused},
                       {"draining", pool.draining},
                       {"removed", pool.removed},
                       {"queued", pool.queued},
                       {"queued_bytes", pool.queued_bytes},
                       {"active", pool.active},
                       {"places_taken", pool.places_taken},
                       {"waiting_posts", pool.waiting_posts},
                       {"queued_peak", pool.queued_peak},
                       {"active_peak", pool.active_peak},
                       {"posted", pool.posted},
                       {"accepted", pool.accepted},
                       {"rejected", pool.rejected},
                       {"finished", pool.finished}};
  PutIf(json, "oldest_queued_seconds", pool.oldest_queued);
  PutIf(json, "resized_until", pool.resized_until);
  json["sizing"] = client::NameOf(pool.sizing);
  if (pool.min_workers) json["min_workers"] = *pool.min_workers;
  PutIf(json, "worker_idle_seconds", pool.worker_idle);
  json["workers_resized"] = pool.workers_resized;
  if (pool.sizing_decision) {
    ordered_json& decision = json["sizing_decision"];
    decision = {{"workers", pool.sizing_decision->workers},
                {"reason", pool.sizing_decision->reason},
                {"explanation", pool.sizing_decision->explanation}};
    PutIf(decision, "at", pool.sizing_decision->at);
  }
  return json;
}

ordered_json JsonOf(const client::PoolStats& stats) {
  ordered_json json = JsonOf(stats.pool);
  json["accepted_per_second"] = stats.accepted_per_second;
  json["finished_per_second"] = stats.finished_per_second;
  json["rejected_per_second"] = stats.rejected_per_second;
  return json;
}

ordered_json JsonOf(const client::HandlerInfo& handler) {
  ordered_json json = {{"name", handler.name},
                       {"pool", handler.pool},
                       {"kind", client::NameOf(handler.kind)},
                       {"max_attempts", handler.max_attempts},
                       {"max_active", handler.max_active}};
  PutIf(json, "timeout_seconds", handler.timeout);
  if (!handler.exec.empty()) json["exec"] = handler.exec;
  return json;
}

ordered_json JsonOf(const client::ServerInfo& info) {
  ordered_json json = {{"version", info.version},
                       {"pid", info.pid},
                       {"cores", info.cores},
                       {"store", info.store},
                       {"config_file", info.config_file},
                       {"max_payload_bytes", info.max_payload_bytes},
                       {"max_result_bytes", info.max_result_bytes},
                       {"max_message_bytes", info.max_message_bytes},
                       {"shutting_down", info.shutting_down}};
  PutIf(json, "started_at", info.started_at);
  return json;
}

std::string InstantText(client::WallTime at) {
  const auto us = std::chrono::floor<std::chrono::microseconds>(at);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(us);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z", fmt::gmtime(seconds.time_since_epoch().count()),
                     (us - seconds).count());
}

}  // namespace workpool::cli
