// What a WorkPool is made of: closures on one of the two admissions. WorkPool has checked what is
// posted; the rest is as it says there.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

#include "pool/work_pool.h"

namespace workpool {

class ClosurePool {
 public:
  using Work = WorkPool::Work;
  using Posted = WorkPool::Posted;

  virtual ~ClosurePool() = default;

  virtual Posted TryPost(Work& work, PostOptions& options) = 0;
  virtual Posted Post(Work& work, PostOptions& options, std::optional<SteadyTime> deadline,
                      const std::stop_token& stop) = 0;
  virtual void Resize(std::uint32_t workers, std::uint64_t capacity) = 0;
  virtual void Pause() = 0;
  virtual void Resume() = 0;
  virtual bool Drain(SteadyTime deadline) = 0;
  virtual StopReport Stop(std::chrono::nanoseconds grace) = 0;
  virtual PoolStats Read() = 0;
  virtual bool OnOwnThread() const = 0;
  virtual std::uint64_t exceptions() const = 0;
  virtual std::uint64_t threads_started() = 0;
  virtual std::uint64_t threads() = 0;
};

// Priorities and bytes: Admission on a ThreadPool.
std::unique_ptr<ClosurePool> MakeFullClosurePool(WorkPoolOptions options);
// First come, first served: FifoPool.
std::unique_ptr<ClosurePool> MakeFifoClosurePool(WorkPoolOptions options);

}  // namespace workpool
