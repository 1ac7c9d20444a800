#include "call.h"

#include <condition_variable>

namespace workpool::client {

bool Pause(std::chrono::nanoseconds duration, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait_for(lock, stop, duration, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace workpool::client
