// The threads of a pool as its lock sees them: slots for those that exist or may come back, and the
// stack of those that sleep, of which the last used is used first, so that the others can age.
// Passive: it starts, wakes and ends nothing itself. Not thread safe; its owner locks. Every
// operation is O(1).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/clock.h"

namespace workpool {

// How many threads a pool keeps, beside the bounds that its workers set.
struct ThreadBounds {
  static constexpr std::uint32_t kNoBound = std::numeric_limits<std::uint32_t>::max();

  // An idle thread beyond so many ends when it was not used for `idle`. Until then, and as long as
  // there are no more than `min`, no timer runs. kNoBound: threads are kept.
  std::uint32_t min = kNoBound;
  std::chrono::nanoseconds idle = std::chrono::seconds(30);
  // So much of a new thread's stack is made resident before its first task, as far as its stack
  // goes.
  std::size_t touch_stack = 0;
  // Never more threads than this; at least 1.
  std::uint32_t max = kNoBound;
};

// What each member has. Guarded by the owner's lock, except the word, which it sleeps on while 0.
template <typename Platform>
struct CrewMember {
  typename Platform::Word called{0};
  bool idle = false;                            // on the stack
  SteadyTime unused_since = SteadyTime::max();  // max: not looked at yet
  CrewMember* below = nullptr;                  // on the stack
  CrewMember* above = nullptr;
};

// Member derives from CrewMember<Platform>.
template <typename Member, typename Platform>
class Crew {
 public:
  // A slot for a thread that is about to start; it counts as alive. Slots are never freed before
  // the crew, so that waking a thread that has just ended is harmless.
  Member& Hire() {
    if (vacant_.empty()) {
      slots_.push_back(std::make_unique<Member>());
      vacant_.reserve(slots_.size());  // so that Dismiss does not allocate
      vacant_.push_back(slots_.back().get());
    }
    Member& member = *vacant_.back();
    vacant_.pop_back();
    ++alive_;
    ++started_;
    return member;
  }

  // The system refused the thread.
  void NotStarted(Member& member) {
    --started_;
    Dismiss(member);
  }

  // The calling thread is about to end. The caller lets go of the lock for good and then joins the
  // one that ended before, which is returned: at most one ended thread keeps its stack.
  std::optional<typename Platform::Thread> End(Member& member) {
    Dismiss(member);
    return std::exchange(ended_, Platform::Self());
  }
  // The last one that ended, to be joined by who waits for all.
  std::optional<typename Platform::Thread> TakeEnded() {
    return std::exchange(ended_, std::nullopt);
  }

  // --- sleeping

  // The caller lets go of the lock and waits on `called` while it is 0, until SleepsUntil, and
  // looks again whether it is `idle`.
  void PushIdle(Member& member) {
    member.called.store(0, std::memory_order_relaxed);
    member.idle = true;
    member.unused_since = SteadyTime::max();
    member.below = top_;
    member.above = nullptr;
    if (top_ != nullptr) top_->above = &member;
    top_ = &member;
    ++idle_;
  }
  // The last that fell asleep, off the stack, or nullptr. Its word is set; the caller has to wake
  // it.
  Member* PopIdle() {
    if (top_ == nullptr) return nullptr;
    auto* member = static_cast<Member*>(top_);
    RemoveIdle(*member);
    member->called.store(1, std::memory_order_release);
    return member;
  }
  void RemoveIdle(Member& member) {
    WORKPOOL_CHECK(member.idle);
    if (member.below != nullptr) member.below->above = member.above;
    (member.above != nullptr ? member.above->below : top_) = member.below;
    member.idle = false;
    --idle_;
  }
  // When an idle member is to end; max if never. Arms `called` again.
  SteadyTime SleepsUntil(Member& member) {
    member.called.store(0, std::memory_order_relaxed);
    if (alive_ <= bounds_.min) return SteadyTime::max();
    if (member.unused_since == SteadyTime::max()) member.unused_since = Platform::Now();
    const auto idle = std::max(bounds_.idle, std::chrono::nanoseconds::zero());
    const bool ever = idle < SteadyTime::max() - member.unused_since;
    return ever ? member.unused_since + idle : SteadyTime::max();
  }
  // Calls all sleepers, which stay on the stack, so that they look at changed bounds.
  template <typename Wake>
  void CallIdle(Wake wake) {
    for (CrewMember<Platform>* member = top_; member != nullptr; member = member->below) {
      member->called.store(1, std::memory_order_release);
      wake(static_cast<Member&>(*member));
    }
  }

  // --- counts and bounds

  void SetBounds(const ThreadBounds& bounds) {
    bounds_ = bounds;
    bounds_.max = std::max<std::uint32_t>(bounds.max, 1);
  }
  const ThreadBounds& bounds() const { return bounds_; }
  std::uint64_t alive() const { return alive_; }      // starting ones included
  std::uint64_t started() const { return started_; }  // since construction
  std::uint64_t idle() const { return idle_; }

 private:
  void Dismiss(Member& member) {
    --alive_;
    vacant_.push_back(&member);
  }

  ThreadBounds bounds_;
  std::vector<std::unique_ptr<Member>> slots_;
  std::vector<Member*> vacant_;
  CrewMember<Platform>* top_ = nullptr;
  std::uint64_t alive_ = 0;
  std::uint64_t started_ = 0;
  std::uint64_t idle_ = 0;
  std::optional<typename Platform::Thread> ended_;
};

}  // namespace workpool
