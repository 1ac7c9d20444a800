// What the dispatcher needs of the outside world.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "jobs/alarm.h"
#include "jobs/observer.h"
#include "jobs/store.h"
#include "pool/task_pool.h"

namespace workpool {

// Makes the pools that the dispatcher runs; ThreadPool in the daemon, ManualPool in simulations.
using PoolFactory =
    std::function<std::unique_ptr<TaskPool>(const std::string& name, const PoolLimits& limits)>;

struct DispatcherPorts {
  Clock& clock;
  Store& store;
  JobObserver& observer;
  Alarm& alarm;
  PoolFactory make_pool;
};

}  // namespace workpool
