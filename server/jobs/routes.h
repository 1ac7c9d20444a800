// Which pools and handlers there are, and where a request's job goes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/mutex.h"
#include "base/ref.h"
#include "jobs/config.h"
#include "jobs/observer.h"
#include "jobs/pool_slot.h"

namespace workpool {

// A handler in a pool: shared by all jobs that go this way.
struct Route : RefCounted<Route> {
  Route(std::shared_ptr<PoolSlot> the_pool, std::shared_ptr<const HandlerConfig> the_handler)
      : pool(std::move(the_pool)),
        handler(std::move(the_handler)),
        group(pool->GroupOf(handler->name)),
        labels{pool->name(), SeriesHandler(*handler, pool->name()), NewLabelsKey()} {}

  const std::shared_ptr<PoolSlot> pool;
  const std::shared_ptr<const HandlerConfig> handler;
  LimitGroup& group;  // the pool's own for the handler
  const JobLabels labels;
};

// One config, constant once it is in force. Pools and handlers are filled in, then Index is called.
struct Routes {
  std::map<std::string, std::shared_ptr<PoolSlot>, std::less<>> pools;
  std::map<std::string, std::shared_ptr<const HandlerConfig>, std::less<>> handlers;
  std::uint64_t max_payload = 0;
  std::uint64_t max_result = 0;

  void Index();

  // Null if there is none.
  std::shared_ptr<PoolSlot> FindPool(std::string_view name) const;

  // kUnknownHandler, kUnknownPool, or kBadField where the request names another pool than the
  // handler's.
  Result<Ref<const Route>> Resolve(std::string_view handler, std::string_view pool) const;

 private:
  // For a message.
  std::string PoolList() const;

  using ByName = std::map<std::string_view, Ref<const Route>, std::less<>>;

  // By handler, then pool: all that a request may ask for. The names are the configs'.
  std::map<std::string_view, ByName, std::less<>> routes_;
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
