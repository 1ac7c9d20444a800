// Puts configs in force: makes, changes and removes pools and handlers. Thread safe.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "jobs/core.h"
#include "jobs/handler_limit.h"
#include "jobs/ports.h"
#include "jobs/tuning_loop.h"

namespace workpool {

class Configurer {
 public:
  Configurer(Core& core, TuningLoop& tuning, PoolFactory make_pool)
      : core_(core), tuning_(tuning), make_pool_(std::move(make_pool)) {}

  // One line for each change.
  std::vector<std::string> Reconfigure(const DispatcherConfig& config);

 private:
  using Lines = std::vector<std::string>;

  void SetPools(const DispatcherConfig& config, Routes& routes, Lines& lines) REQUIRES(changing_);
  std::shared_ptr<PoolSlot> AddPool(const PoolConfig& config) REQUIRES(changing_);
  void ChangePool(const std::shared_ptr<PoolSlot>& pool, const PoolConfig& config, Lines& lines);
  void RemovePool(const std::shared_ptr<PoolSlot>& pool, Lines& lines);
  void SetHandlers(const DispatcherConfig& config, const Routes& before, Routes& routes,
                   Lines& lines) REQUIRES(changing_);
  // A handler that is not in the config any more keeps its limit: its accepted jobs have it.
  void LimitHandler(const HandlerConfig& handler, const Routes& routes) REQUIRES(changing_);

  // A removed pool goes when it is empty and nobody holds it any more.
  void AwaitEmpty(const std::shared_ptr<PoolSlot>& pool);
  void Drop(std::shared_ptr<PoolSlot> pool);
  void Bury(std::shared_ptr<PoolSlot> pool);

  Core& core_;
  TuningLoop& tuning_;
  const PoolFactory make_pool_;

  // Held from reading the routes until the new ones are in force, by a config and by a pool that
  // goes, so that neither undoes the other. Outermost: pools' locks are taken under it, and nothing
  // that is called back takes it.
  Mutex changing_;
  std::map<std::string, std::shared_ptr<HandlerLimit>> limits_ GUARDED_BY(changing_);  // by handler
  std::map<std::string, PoolCounts> gone_ GUARDED_BY(changing_);  // of removed pools
};

}  // namespace workpool
