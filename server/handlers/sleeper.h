// Naps: attempts that end when their time has come, or when they are told to stop. Each holds its
// worker but no thread: one timer queue serves all of them.
//
// Thread safe; never blocks.
#pragma once

#include <chrono>
#include <memory>

#include "base/clock.h"
#include "jobs/alarm.h"
#include "jobs/deadline_queue.h"
#include "jobs/handler.h"

namespace workpool {

class Sleeper {
 public:
  // How many naps one Tick ends: whoever shares the alarm's thread has its turn in between.
  static constexpr std::size_t kTurn = 256;

  // Both must outlive it.
  Sleeper(const Clock& clock, Alarm& alarm) : clock_(clock), queue_(alarm) {}

  // `attempt` succeeds after `duration`, or fails with code STOPPED as soon as it is told to stop,
  // on the thread that tells it.
  void Nap(std::shared_ptr<Attempt> attempt, std::chrono::nanoseconds duration);

  // To be called when the alarm rings: ends the naps whose time has come, in order.
  void Tick();

 private:
  const Clock& clock_;
  DeadlineQueue queue_;
};

}  // namespace workpool
