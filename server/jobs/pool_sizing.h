// What a pool's size is: what the config says, and what an operator has set over it for a while.
// Thread safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/mutex.h"
#include "jobs/config.h"

namespace workpool {

// At least one of workers, capacity and reset; reset goes with nothing else.
struct ResizeRequest {
  std::optional<std::uint32_t> workers;
  std::optional<std::uint64_t> capacity;
  std::optional<std::chrono::nanoseconds> hold_for;  // of what this request sets; none: no end
  bool reset = false;
};

// kBadField naming the field and the rule.
Result<void> CheckResize(const ResizeRequest& request);

class PoolSizing {
 public:
  explicit PoolSizing(PoolConfig config) : config_(std::move(config)) {}

  PoolConfig Configured() const;

  // What is in force. The version grows with every change, so that whoever applies the limits can
  // tell whether they are still the latest.
  struct InForce {
    PoolLimits limits;
    bool workers_resized = false;  // an operator's size holds
    std::uint32_t least_threads = 0;
    std::chrono::nanoseconds idle{0};  // after which a thread beyond them ends
    std::uint64_t version = 0;
  };
  InForce Current() const;

  // Each key that the request sets holds until `reset` or until the config's value for that key
  // changes; one for a while lies over one without an end, which is in force again after it, and
  // takes the place of another for a while.
  void Override(const ResizeRequest& request, SteadyTime now);
  // Drops holds that are over; answers whether that changed something.
  bool Expire(SteadyTime now);
  // The next instant at which a hold is over.
  std::optional<SteadyTime> NextExpiry() const;
  // What the daemon has chosen for a pool that it sizes. False if nothing changes by it.
  bool SetTuned(std::uint32_t workers);
  // One line for each value of the config that changed, e.g. "workers 4 -> 8".
  std::vector<std::string> Reconfigure(const PoolConfig& config);

 private:
  // What an operator has set for one key.
  template <typename T>
  class Held {
   public:
    explicit operator bool() const { return Value().has_value(); }
    std::optional<T> Value() const { return over_ ? std::optional(over_->value) : lasting_; }
    std::optional<SteadyTime> Until() const {
      return over_ ? std::optional(over_->until) : std::nullopt;
    }
    void Set(T value, std::optional<SteadyTime> until) {
      over_.reset();
      if (until) {
        over_ = {value, *until};
      } else {
        lasting_ = value;
      }
    }
    bool Expire(SteadyTime now) {
      if (!over_ || over_->until > now) return false;
      over_.reset();
      return true;
    }

   private:
    struct ForAWhile {
      T value;
      SteadyTime until;
    };

    std::optional<T> lasting_;
    std::optional<ForAWhile> over_;
  };

  mutable Mutex mutex_;
  PoolConfig config_ GUARDED_BY(mutex_);
  Held<std::uint32_t> workers_ GUARDED_BY(mutex_);
  std::optional<std::uint32_t> tuned_ GUARDED_BY(mutex_);
  Held<std::uint64_t> capacity_ GUARDED_BY(mutex_);
  std::uint64_t version_ GUARDED_BY(mutex_) = 0;
};

}  // namespace workpool
