// What the dispatcher is told about pools and handlers; `app` fills it from the config file.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bounds.h"
#include "jobs/handler.h"
#include "jobs/store.h"
#include "pool/admission.h"

namespace workpool {

// Where a handler runs that the config does not place, unless the request names a pool.
inline constexpr std::string_view kDefaultPool = "default";

// What decides how many workers a pool has.
enum class Sizing : std::uint8_t {
  kFixed,    // always limits.workers
  kElastic,  // limits.workers may run; threads that idle end, down to min_workers
  kAuto,     // the daemon looks for the best number from min_workers to limits.workers
};

inline constexpr std::chrono::nanoseconds kDefaultIdle = std::chrono::seconds(30);

struct PoolConfig {
  std::string name;
  PoolLimits limits;  // workers: the most that there may be
  Sizing sizing = Sizing::kFixed;
  std::uint32_t min_workers = 1;                 // not of a fixed size
  std::uint32_t first_workers = 1;               // what kAuto begins with
  std::chrono::nanoseconds idle = kDefaultIdle;  // how long a thread above min_workers may idle
  WhenFull when_full = WhenFull::kReject;
  std::chrono::nanoseconds max_wait = std::chrono::minutes(5);
  PoolRetention keep;
};

enum class HandlerKind : std::uint8_t { kBuiltin, kCpp, kCommand };

struct HandlerConfig {
  std::string name;
  std::string pool;  // empty: runs in the pool that the request names, or in `default`
  HandlerKind kind = HandlerKind::kCpp;
  std::shared_ptr<Handler> handler;
  std::chrono::nanoseconds timeout{0};  // 0: none
  std::chrono::nanoseconds kill_grace = std::chrono::seconds(5);
  std::uint32_t max_active = 0;   // 0: no limit; goes only with a pool
  std::vector<std::string> exec;  // for ListHandlers
  // All that the config says about it, in any form: a reload reports a change where it differs.
  std::string definition;
};

// The name under which metrics show `handler` in `pool`: its own where the config leads it there,
// else "other", so that no request creates a series.
inline std::string_view SeriesHandler(const HandlerConfig& handler, std::string_view pool) {
  const std::string_view home = handler.pool.empty() ? kDefaultPool : handler.pool;
  return pool == home ? std::string_view(handler.name) : std::string_view("other");
}

struct DispatcherConfig {
  std::vector<PoolConfig> pools;
  std::vector<HandlerConfig> handlers;
  std::uint64_t max_payload = std::uint64_t{3} << 20;
  std::uint64_t max_result = std::uint64_t{3} << 20;
};

}  // namespace workpool
