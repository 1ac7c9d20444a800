#include "rpc/live_calls.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace workpool::rpc {

void LiveCalls::Enter() {
  MutexLock lock(mutex_);
  ++live_;
  ++entered_;
}

void LiveCalls::Leave() {
  MutexLock lock(mutex_);
  if (--live_ == 0) none_.NotifyAll();
}

void LiveCalls::WaitUntilQuiet(std::chrono::milliseconds quiet, SteadyTime deadline) {
  MutexLock lock(mutex_);
  std::uint64_t seen = 0;
  do {
    while (live_ > 0) {
      if (!none_.WaitUntil(mutex_, deadline)) return;
    }
    seen = entered_;
    const SteadyTime until = std::min(deadline, SteadyTime::clock::now() + quiet);
    while (none_.WaitUntil(mutex_, until)) {
    }
  } while ((live_ > 0 || entered_ != seen) && SteadyTime::clock::now() < deadline);
}

void LiveCalls::Add(const std::shared_ptr<EndlessCall>& call) {
  {
    MutexLock lock(mutex_);
    if (!ending_) {
      endless_.emplace(call.get(), call);
      return;
    }
  }
  call->End();
}

void LiveCalls::Remove(const EndlessCall* call) {
  MutexLock lock(mutex_);
  endless_.erase(call);
}

void LiveCalls::EndAll() {
  std::unordered_map<const EndlessCall*, std::weak_ptr<EndlessCall>> endless;
  {
    MutexLock lock(mutex_);
    ending_ = true;
    endless.swap(endless_);
  }
  for (const auto& [key, weak] : endless) {
    if (auto call = weak.lock()) call->End();
  }
}

}  // namespace workpool::rpc
