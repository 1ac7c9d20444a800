// What the dispatcher is told about pools and handlers; `app` fills it from the config file.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jobs/handler.h"
#include "jobs/store.h"
#include "pool/admission.h"

namespace workpool {

struct PoolConfig {
  std::string name;
  PoolLimits limits;
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
  std::vector<std::string> exec;  // for ListHandlers
};

struct DispatcherConfig {
  std::vector<PoolConfig> pools;
  std::vector<HandlerConfig> handlers;
  std::uint64_t max_payload = std::uint64_t{3} << 20;
  std::uint64_t max_result = std::uint64_t{3} << 20;
};

}  // namespace workpool
