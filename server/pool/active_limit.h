// How many tasks may be active at one time, in the one pool or in all the pools whose groups share
// it: the jobs of a handler that a reload has moved run in two.
#pragma once

#include <atomic>
#include <cstdint>

namespace workpool {

// Thread safe, and takes no lock: each pool asks it under its own, so none ever needs another's.
class ActiveLimit {
 public:
  explicit ActiveLimit(std::uint64_t max) : max_(max) {}
  virtual ~ActiveLimit() = default;
  ActiveLimit(const ActiveLimit&) = delete;
  ActiveLimit& operator=(const ActiveLimit&) = delete;

  // 0: nothing starts. Does not stop what is active above a lower one. Pools that passed tasks over
  // have to look again after a higher one.
  void SetMax(std::uint64_t max) { max_.store(max); }
  bool full() const { return active_.load() >= max_.load(); }

  // What one task that ended in one of several pools held. Called with no pool's lock held; whoever
  // owns the limit has the pools look again, among them the one where the task ended.
  virtual void Return() { Free(); }

 protected:
  // Answers whether tasks may have been passed over for what is free now.
  bool Free() { return active_.fetch_sub(1) == max_.load(); }

 private:
  friend class Admission;

  // False if it is full.
  bool Take() {
    std::uint64_t active = active_.load();
    while (active < max_.load()) {
      if (active_.compare_exchange_weak(active, active + 1)) return true;
    }
    return false;
  }
  // For a group that comes or goes with tasks that are active.
  void Add(std::uint64_t active) { active_.fetch_add(active); }
  void Remove(std::uint64_t active) { active_.fetch_sub(active); }

  std::atomic<std::uint64_t> max_;
  std::atomic<std::uint64_t> active_{0};
};

}  // namespace workpool
