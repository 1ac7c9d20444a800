#include "pool/room_wait.h"

namespace workpool {

// Notifies under the lock: once it is free the poster may be gone, and this object with it.
void RoomWait::Tell(std::optional<Refusal> refusal) {
  const MutexLock lock(mutex_);
  told_ = true;
  refusal_ = refusal;
  changed_.NotifyOne();
}

void RoomWait::Cancel() {
  const MutexLock lock(mutex_);
  cancelled_ = true;
  changed_.NotifyOne();
}

RoomWait::Outcome RoomWait::Await(std::optional<SteadyTime> deadline, const std::stop_token& stop) {
  const std::stop_callback on_stop(stop, [this] { Cancel(); });  // outlives the lock below
  const MutexLock lock(mutex_);
  bool in_time = true;
  while (!told_ && !cancelled_ && in_time) in_time = WaitUntil(deadline);
  if (told_) return {.told = true, .refusal = refusal_};
  return {.told = false, .refusal = cancelled_ ? Refusal::kCancelled : Refusal::kWaitTimeout};
}

std::optional<Refusal> RoomWait::AwaitTold() {
  const MutexLock lock(mutex_);
  while (!told_) changed_.Wait(mutex_);
  return refusal_;
}

bool RoomWait::WaitUntil(std::optional<SteadyTime> deadline) {
  if (deadline) return changed_.WaitUntil(mutex_, *deadline);
  changed_.Wait(mutex_);
  return true;
}

}  // namespace workpool
