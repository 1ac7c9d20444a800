// The wait of a blocked poster for the outcome of its post. Lives on the poster's stack.
#pragma once

#include <optional>
#include <stop_token>

#include "base/clock.h"
#include "base/mutex.h"
#include "pool/task.h"

namespace workpool {

class RoomWait {
 public:
  // The outcome: accepted, or why not. Called once; the object may be gone when it returns.
  void Tell(std::optional<Refusal> refusal);

  struct Outcome {
    bool told = false;               // else the poster has had enough, for the reason in `refusal`
    std::optional<Refusal> refusal;  // none: accepted
  };
  // Blocks until Tell, until `deadline` (none: for ever), or until `stop` is requested.
  Outcome Await(std::optional<SteadyTime> deadline, const std::stop_token& stop);
  // Blocks until Tell, whatever was requested before: for a poster that wanted to give up when the
  // pool had decided already. None: accepted.
  std::optional<Refusal> AwaitTold();

 private:
  void Cancel();
  // False when `deadline` has passed.
  bool WaitUntil(std::optional<SteadyTime> deadline) REQUIRES(mutex_);

  Mutex mutex_;
  CondVar changed_;
  bool told_ GUARDED_BY(mutex_) = false;
  bool cancelled_ GUARDED_BY(mutex_) = false;
  std::optional<Refusal> refusal_ GUARDED_BY(mutex_);
};

}  // namespace workpool
