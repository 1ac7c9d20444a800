#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <iterator>

#include "base/names.h"
#include "base/units.h"
#include "output.h"
#include "show.h"
#include "table.h"

namespace workpool::cli {

namespace {

struct Unit {
  double seconds;
  const char* name;
};
constexpr std::array<Unit, 6> kUnits = {
    {{86400, "d"}, {3600, "h"}, {60, "m"}, {1, "s"}, {1e-3, "ms"}, {1e-6, "us"}}};

std::string Dash(const std::string& text) { return text.empty() ? "-" : Clean(text, 60); }

// "8", or "8 (4)" where the config says 4.
template <typename Number>
std::string InForce(Number now, Number configured) {
  return now == configured ? fmt::to_string(now) : fmt::format("{} ({})", now, configured);
}

// As a fixed size, or "2..64" for a pool that is elastic, "9 (2..64)" for one that is resized, "12
// (auto 1..64)" for one that the daemon sizes.
std::string WorkersText(const client::Pool& pool) {
  if (!pool.min_workers) return InForce(pool.workers, pool.configured_workers);
  const std::string range = fmt::format("{}..{}", *pool.min_workers, pool.configured_workers);
  if (pool.sizing == client::Sizing::kAuto) return fmt::format("{} (auto {})", pool.workers, range);
  return pool.workers_resized ? fmt::format("{} ({})", pool.workers, range) : range;
}

// A line for each pool that the daemon sizes: what it decided, why, and since when.
std::string SizingText(const std::vector<client::Pool>& pools) {
  std::string text;
  for (const client::Pool& pool : pools) {
    if (!pool.sizing_decision) continue;
    const client::SizingDecision& decision = *pool.sizing_decision;
    const std::string since = decision.at ? " since " + InstantText(*decision.at) : "";
    text += fmt::format("{}: {} workers{}, {}: {}{}\n", pool.name, decision.workers, since,
                        Clean(decision.reason), Clean(decision.explanation),
                        pool.workers_resized ? " (not in force while the pool is resized)" : "");
  }
  return text;
}

template <typename Value>
void Line(std::string& text, const char* name, const Value& value) {
  fmt::format_to(std::back_inserter(text), "{:<14}{}\n", name, value);
}

void ProgressLine(std::string& text, const client::Job& job) {
  if (!job.progress) return;
  const std::string note = job.progress_note.empty() ? "" : ", " + Clean(job.progress_note);
  Line(text, "progress", fmt::format("{:.0f}%{}", *job.progress * 100, note));
}

// As it is but for what would steer a terminal, each line indented.
void LogLines(std::string& text, const client::Job& job) {
  if (job.log.empty()) return;
  if (job.log_truncated) {
    Line(text, "log", "the rest was cut off");
  } else {
    text += "log\n";
  }
  bool at_start = true;
  // Broken bytes grow threefold.
  for (const char c : ToValidUtf8(job.log, 3 * job.log.size())) {
    if (at_start && c != '\n') text += "  ";
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    at_start = c == '\n';
    text += control && c != '\n' && c != '\t' ? ' ' : c;
  }
  if (!at_start) text += '\n';
}

void OutcomeLines(std::string& text, const client::Job& job) {
  if (job.error) {
    Line(text, "error", fmt::format("{}: {}", Clean(job.error->code), Clean(job.error->message)));
  }
  if (!client::IsFinal(job.state)) return;
  Line(text, "result",
       fmt::format("{} bytes{}", job.result_bytes,
                   job.result_truncated ? ", the rest was cut off" : ""));
}

}  // namespace

std::string DurationText(const std::optional<std::chrono::nanoseconds>& duration) {
  if (!duration) return "-";
  const double seconds = std::chrono::duration<double>(*duration).count();
  for (const Unit& unit : kUnits) {
    if (seconds >= unit.seconds) return fmt::format("{:.3g}{}", seconds / unit.seconds, unit.name);
  }
  return duration->count() == 0 ? "0s" : "<1us";
}

std::string JobText(const client::Job& job) {
  std::string text;
  Line(text, "id", job.id);
  Line(text, "handler", job.handler);
  Line(text, "pool", job.pool);
  Line(text, "state",
       fmt::format("{}{}", client::NameOf(job.state), job.stopping ? " (stopping)" : ""));
  Line(text, "attempt", fmt::format("{} of {}", job.attempt, job.max_attempts));
  Line(text, "priority", job.priority);
  Line(text, "weight", job.weight);
  if (!job.caller.empty()) Line(text, "caller", Clean(job.caller));
  if (!job.content_type.empty()) Line(text, "content type", Clean(job.content_type));
  for (const auto& [key, value] : job.metadata) {
    Line(text, "metadata", Clean(key) + "=" + Clean(value));
  }
  if (job.accepted_at) Line(text, "accepted", InstantText(*job.accepted_at));
  if (job.started_at) Line(text, "started", InstantText(*job.started_at));
  if (job.finished_at) Line(text, "finished", InstantText(*job.finished_at));
  if (job.queue_wait) Line(text, "waited", DurationText(job.queue_wait));
  if (job.run_time) Line(text, "ran", DurationText(job.run_time));
  if (job.timeout) Line(text, "timeout", FormatDuration(*job.timeout));
  if (job.worker) Line(text, "worker", *job.worker);
  Line(text, "payload", fmt::format("{} bytes", job.payload_bytes));
  ProgressLine(text, job);
  OutcomeLines(text, job);
  LogLines(text, job);
  return text;
}

std::string JobsTable(const std::vector<client::Job>& jobs) {
  Table table({{"ID", Align::kRight},
               {"HANDLER"},
               {"POOL"},
               {"STATE"},
               {"PRIO", Align::kRight},
               {"WEIGHT", Align::kRight},
               {"WAITED", Align::kRight},
               {"RAN", Align::kRight},
               {"ACCEPTED"},
               {"CALLER"},
               {"ERROR"}});
  for (const client::Job& job : jobs) {
    table.Add({std::to_string(job.id), job.handler, job.pool, std::string(NameOf(job.state)),
               std::to_string(job.priority), std::to_string(job.weight),
               DurationText(job.queue_wait), DurationText(job.run_time),
               job.accepted_at ? InstantText(*job.accepted_at).substr(0, 19) + "Z" : "-",
               Dash(job.caller), Dash(job.error ? job.error->code : "")});
  }
  return table.Text();
}

std::string PoolsTable(const std::vector<client::Pool>& pools) {
  Table table({{"NAME"},
               {"WORKERS", Align::kRight},
               {"ACTIVE", Align::kRight},
               {"QUEUED", Align::kRight},
               {"CAPACITY", Align::kRight},
               {"WAITING", Align::kRight},
               {"PEAK ACTIVE", Align::kRight},
               {"PEAK QUEUED", Align::kRight},
               {"ACCEPTED", Align::kRight},
               {"REJECTED", Align::kRight},
               {"FINISHED", Align::kRight},
               {"STATE"}});
  for (const client::Pool& pool : pools) {
    table.Add({pool.name, WorkersText(pool), std::to_string(pool.active),
               std::to_string(pool.queued), InForce(pool.capacity, pool.configured_capacity),
               std::to_string(pool.waiting_posts), std::to_string(pool.active_peak),
               std::to_string(pool.queued_peak), std::to_string(pool.accepted),
               std::to_string(pool.rejected), std::to_string(pool.finished), StateOf(pool)});
  }
  return table.Text() + SizingText(pools);
}

std::string HandlersTable(const std::vector<client::HandlerInfo>& handlers) {
  Table table({{"NAME"},
               {"POOL"},
               {"KIND"},
               {"TIMEOUT", Align::kRight},
               {"MAX ACTIVE", Align::kRight},
               {"COMMAND"}});
  for (const client::HandlerInfo& handler : handlers) {
    table.Add({handler.name, Dash(handler.pool), std::string(NameOf(handler.kind)),
               DurationText(handler.timeout),
               handler.max_active > 0 ? std::to_string(handler.max_active) : "-",
               Clean(fmt::format("{}", fmt::join(handler.exec, " ")))});
  }
  return table.Text();
}

std::string InfoText(const client::ServerInfo& info) {
  std::string text;
  Line(text, "version", info.version);
  Line(text, "pid", info.pid);
  Line(text, "cores", info.cores);
  if (info.started_at) Line(text, "started", InstantText(*info.started_at));
  Line(text, "store", info.store);
  Line(text, "config", info.config_file.empty() ? "-" : Clean(info.config_file));
  Line(text, "max payload", FormatSize(info.max_payload_bytes));
  Line(text, "max result", FormatSize(info.max_result_bytes));
  Line(text, "max message", FormatSize(info.max_message_bytes));
  Line(text, "state", info.shutting_down ? "shutting down" : "serving");
  return text;
}

std::string StateOf(const client::Pool& pool) {
  std::string state;
  const auto add = [&state](bool holds, const char* word) {
    if (holds) state += (state.empty() ? "" : ",") + std::string(word);
  };
  add(pool.paused, "paused");
  add(pool.draining, "draining");
  add(pool.removed, "removed");
  return state.empty() ? "serving" : state;
}

}  // namespace workpool::cli
