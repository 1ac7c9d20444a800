// Which pools and handlers there are, and where a request's job goes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/mutex.h"
#include "jobs/config.h"
#include "jobs/pool_slot.h"

namespace workpool {

struct Route {
  std::shared_ptr<PoolSlot> pool;
  std::shared_ptr<const HandlerConfig> handler;
  LimitGroup* group = nullptr;  // the pool's own; none for a handler that the config does not place
};

struct HandlerRoute {
  std::shared_ptr<const HandlerConfig> config;
  LimitGroup* group = nullptr;  // of the pool that the config names
};

// One config, constant once it is in force.
struct Routes {
  std::map<std::string, std::shared_ptr<PoolSlot>, std::less<>> pools;
  std::map<std::string, HandlerRoute, std::less<>> handlers;
  std::uint64_t max_payload = 0;
  std::uint64_t max_result = 0;

  // Null if there is none.
  std::shared_ptr<PoolSlot> FindPool(std::string_view name) const;

  // kUnknownHandler, kUnknownPool, or kBadField where the request names another pool than the
  // handler's.
  Result<Route> Resolve(std::string_view handler, std::string_view pool) const;
};

// The routes in force. Thread safe.
class RouteTable {
 public:
  std::shared_ptr<const Routes> Get() const {
    MutexLock lock(mutex_);
    return routes_;
  }
  void Set(std::shared_ptr<const Routes> routes) {
    MutexLock lock(mutex_);
    routes_.swap(routes);  // the old ones die after the lock
    lock.Unlock();
  }

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const Routes> routes_ GUARDED_BY(mutex_) = std::make_shared<const Routes>();
};

}  // namespace workpool
