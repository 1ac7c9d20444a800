// The daemon's configuration as plain values; every default of workpool.toml is the initializer
// here. docs/config.md describes the keys.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "jobs/config.h"
#include "jobs/store.h"
#include "pool/task.h"

namespace workpool {

enum class LogFormat : std::uint8_t { kAuto, kText, kJson };
enum class ShutdownMode : std::uint8_t {
  kDrain,  // the queue runs on during the grace
  kStop,   // no queued job starts any more
};

struct LogSettings {
  LogFormat format = LogFormat::kAuto;
  LogLevel level = LogLevel::kInfo;
  bool operator==(const LogSettings&) const = default;
};

inline constexpr std::string_view kHttpOff = "off";

struct ServerSettings {
  std::string listen = "127.0.0.1:7650";
  std::string http = "127.0.0.1:7651";  // or kHttpOff
  bool insecure = false;
  std::chrono::nanoseconds grace = std::chrono::seconds(30);
  ShutdownMode shutdown = ShutdownMode::kDrain;
  std::uint64_t max_message = std::uint64_t{64} << 20;
  std::uint64_t max_payload = std::uint64_t{3} << 20;
  std::uint64_t max_result = std::uint64_t{3} << 20;
  std::uint64_t stream_window_items = 1000;
  std::uint64_t stream_window_bytes = std::uint64_t{8} << 20;
  bool builtin_handlers = true;
  LogSettings log;
  bool operator==(const ServerSettings&) const = default;
};

// A number of workers, or so many per core; or, where `sizing` is not kFixed, from `min` to `max`.
struct Workers {
  std::uint32_t fixed = 0;               // 0: per core
  std::uint32_t per_core_percent = 300;  // "3x"
  Sizing sizing = Sizing::kFixed;
  std::uint32_t min = 1;
  std::uint32_t max = 0;
  std::chrono::nanoseconds idle = kDefaultIdle;

  // The most workers there may be, at least 1. `cores` may be a fraction; what is over is rounded
  // up.
  std::uint32_t Resolve(double cores) const;
  bool operator==(const Workers&) const = default;
};

struct PoolSettings {
  std::string name;
  Workers workers;
  std::uint64_t capacity = 1000;
  std::uint64_t capacity_bytes = std::uint64_t{256} << 20;
  WhenFull when_full = WhenFull::kReject;
  std::chrono::nanoseconds max_wait = std::chrono::minutes(5);
  std::uint64_t max_waiting = 10'000;
  PoolRetention keep;
};

struct HandlerSettings {
  std::string name;
  std::string pool;
  std::vector<std::string> exec;  // empty: a built-in or C++ handler of that name
  std::string cwd;
  std::vector<std::pair<std::string, std::string>> env;
  int no_retry_exit = 100;
  std::chrono::nanoseconds timeout{0};  // 0: none
  std::chrono::nanoseconds kill_grace = std::chrono::seconds(5);
  std::uint32_t max_active = 0;  // 0: no limit

  // The same program in the same surroundings.
  bool SameCommand(const HandlerSettings& other) const;
  bool operator==(const HandlerSettings&) const = default;
};

struct Config {
  ServerSettings server;
  std::vector<PoolSettings> pools;        // by name; never empty once read
  std::vector<HandlerSettings> handlers;  // by name
};

std::vector<std::string> PoolNames(const Config& config);

// What is in force without a config file: the defaults and the pool `default`.
Config DefaultConfig();

}  // namespace workpool
