// What the parts of the dispatcher share. Each member synchronises itself.
//
// Lock order: no part of the dispatcher ever holds two locks, and none holds one while it calls a
// pool, the store, the observer, a handler or a callback. So there is no order to keep.
#pragma once

#include <atomic>

#include "jobs/deadline_queue.h"
#include "jobs/job_table.h"
#include "jobs/observer.h"
#include "jobs/routes.h"
#include "jobs/store.h"
#include "jobs/ticket_table.h"
#include "jobs/wait_group.h"

namespace workpool {

struct Core {
  Core(Clock& the_clock, Store& the_store, JobObserver& the_observer, Alarm& alarm)
      : clock(the_clock), store(the_store), observer(the_observer), deadlines(alarm) {}

  Clock& clock;
  Store& store;
  JobObserver& observer;
  DeadlineQueue deadlines;
  RouteTable routes;
  JobTable table;
  WaitTable posts;    // that wait for room
  TicketTable waits;  // for a job's end
  std::atomic<std::uint64_t> max_result{0};
  std::atomic<std::uint64_t> unknown_pool_posts{0};
  std::atomic<bool> closing{false};  // posts are refused for good
};

}  // namespace workpool
