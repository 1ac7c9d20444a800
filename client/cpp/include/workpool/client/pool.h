// What an operator sees of a daemon.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workpool/client/job.h"
#include "workpool/client/work.h"

namespace workpool::client {

// What the config lets decide how many workers there are.
enum class Sizing { kUnknown, kFixed, kElastic, kAuto };
std::string_view NameOf(Sizing sizing);

// What the daemon decided about the number of workers of a pool that it sizes.
struct SizingDecision {
  std::uint32_t workers = 0;
  // A word such as "settled", and a sentence.
  std::string reason;
  std::string explanation;
  std::optional<WallTime> at;
};

struct Pool {
  std::string name;
  // What is in force, and what the config says.
  std::uint32_t workers = 0;
  std::uint32_t configured_workers = 0;
  std::uint64_t capacity = 0;
  std::uint64_t configured_capacity = 0;
  std::uint64_t capacity_bytes = 0;
  WhenFull when_full = WhenFull::kPoolDefault;
  bool paused = false;
  bool draining = false;
  // Taken out of the config; gone once its jobs are.
  bool removed = false;
  // When a resize with `hold_for` reverts.
  std::optional<WallTime> resized_until;
  Sizing sizing = Sizing::kUnknown;
  // The least workers, and how long one above them may be without work; unless the size is fixed.
  std::optional<std::uint32_t> min_workers;
  std::optional<std::chrono::nanoseconds> worker_idle;
  // A resize holds the number of workers, whatever the config says.
  bool workers_resized = false;
  std::optional<SizingDecision> sizing_decision;
  std::uint64_t queued = 0;
  std::uint64_t queued_bytes = 0;
  std::uint64_t active = 0;
  // Workers that the active jobs take, each as many as it weighs.
  std::uint64_t places_taken = 0;
  std::uint64_t waiting_posts = 0;
  // Highest since the daemon started; in statistics, highest of the interval.
  std::uint64_t queued_peak = 0;
  std::uint64_t active_peak = 0;
  // Since the daemon started.
  std::uint64_t posted = 0;
  std::uint64_t accepted = 0;
  std::uint64_t rejected = 0;
  std::uint64_t finished = 0;
  std::optional<std::chrono::nanoseconds> oldest_queued;
};

struct PoolStats {
  Pool pool;
  double accepted_per_second = 0;
  double finished_per_second = 0;
  double rejected_per_second = 0;
};

struct Stats {
  std::optional<WallTime> at;
  std::vector<PoolStats> pools;
};

struct Resize {
  std::optional<std::uint32_t> workers = {};
  std::optional<std::uint64_t> capacity = {};
  // Reverts after this long.
  std::optional<std::chrono::nanoseconds> hold_for = {};
  // Back to the config file's values.
  bool reset = false;
};

enum class HandlerKind { kUnknown, kBuiltin, kCpp, kCommand, kWebhook, kRemote };
std::string_view NameOf(HandlerKind kind);

struct HandlerInfo {
  std::string name;
  std::string pool;
  HandlerKind kind = HandlerKind::kUnknown;
  std::optional<std::chrono::nanoseconds> timeout;
  std::uint32_t max_attempts = 0;
  // So many of its jobs are active at one time at most; 0: no limit.
  std::uint32_t max_active = 0;
  // The program and its arguments, for commands.
  std::vector<std::string> exec;
};

struct ServerInfo {
  std::string version;
  std::optional<WallTime> started_at;
  std::string store;
  std::string config_file;
  std::uint64_t max_payload_bytes = 0;
  std::uint64_t max_result_bytes = 0;
  std::uint64_t max_message_bytes = 0;
  bool shutting_down = false;
  std::uint32_t pid = 0;
  double cores = 0;  // that the daemon may use
};

struct Reloaded {
  // One line for each change that is in force now, and for each that only a restart brings.
  std::vector<std::string> applied;
  std::vector<std::string> needs_restart;
};

}  // namespace workpool::client
