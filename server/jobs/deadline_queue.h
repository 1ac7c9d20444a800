// What is to be done at some instant: one queue for all deadlines of the dispatcher. Thread safe;
// never blocks; runs nothing by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "jobs/alarm.h"

namespace workpool {

// Names an action that is still to come; the default names none.
struct DeadlineKey {
  SteadyTime when{};
  std::uint64_t number = 0;
  auto operator<=>(const DeadlineKey&) const = default;
};

class DeadlineQueue {
 public:
  using Action = std::move_only_function<void()>;

  // Sets `alarm`, which must outlive it, whenever another action becomes the next one.
  explicit DeadlineQueue(Alarm& alarm) : alarm_(alarm) {}

  DeadlineKey Add(SteadyTime when, Action action);
  // Drops an action that has not been taken; harmless if it has.
  void Remove(const DeadlineKey& key);
  // The actions that are due, in order, at most `most`. Sets the alarm for the next one.
  std::vector<Action> TakeDue(SteadyTime now,
                              std::size_t most = std::numeric_limits<std::size_t>::max());

 private:
  Alarm& alarm_;
  Mutex mutex_;
  std::map<DeadlineKey, Action> actions_ GUARDED_BY(mutex_);
  std::uint64_t last_number_ GUARDED_BY(mutex_) = 0;
};

}  // namespace workpool
