// The calls that are under way: how shutdown ends the streams and knows when it is done. Thread
// safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "base/clock.h"
#include "base/mutex.h"

namespace workpool::rpc {

// A stream that has no end of its own.
class EndlessCall {
 public:
  virtual ~EndlessCall() = default;
  // The server shuts down: send what is owed, then end. Called at most once; must not block.
  virtual void End() = 0;
};

class LiveCalls {
 public:
  // Every call that takes time enters once and leaves once.
  void Enter();
  void Leave();
  // Until no call is under way and none has come for `quiet`, or until `deadline`.
  void WaitUntilQuiet(std::chrono::milliseconds quiet, SteadyTime deadline);

  // Has `call` ended by EndAll, now if that has been called already. It is forgotten with its
  // owner's last reference, or by Remove.
  void Add(const std::shared_ptr<EndlessCall>& call);
  void Remove(const EndlessCall* call);
  void EndAll();

 private:
  Mutex mutex_;
  CondVar none_;
  std::size_t live_ GUARDED_BY(mutex_) = 0;
  std::uint64_t entered_ GUARDED_BY(mutex_) = 0;
  bool ending_ GUARDED_BY(mutex_) = false;
  std::unordered_map<const EndlessCall*, std::weak_ptr<EndlessCall>> endless_ GUARDED_BY(mutex_);
};

}  // namespace workpool::rpc
