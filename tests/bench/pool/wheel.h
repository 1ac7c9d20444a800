// A timer wheel: what is put in fires a fixed time later, never early and at most a few ticks late.
// Far cheaper than a heap of timers when very many wait for the same length of time.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace workpool::bench {

// Item: movable, and callable once it is due. Thread safe.
template <typename Item>
class Wheel {
  using Clock = std::chrono::steady_clock;

 public:
  explicit Wheel(std::chrono::nanoseconds delay)
      : ahead_(static_cast<std::size_t>(delay / kTick) + 2), thread_([this] { Turn(); }) {}

  // Everything put in must have fired.
  ~Wheel() {
    {
      const std::scoped_lock lock(mutex_);
      stop_ = true;
    }
    thread_.join();
  }
  Wheel(const Wheel&) = delete;
  Wheel& operator=(const Wheel&) = delete;

  // `item` fires on the wheel's thread.
  void Add(Item item) {
    const std::scoped_lock lock(mutex_);
    slots_[(now_ + ahead_) % kSlots].push_back(std::move(item));
  }

 private:
  static constexpr std::size_t kSlots = 256;
  static constexpr std::chrono::microseconds kTick{250};

  void Turn() {
    std::vector<Item> due;
    for (auto next = Clock::now() + kTick;; next += kTick) {
      std::this_thread::sleep_until(next);
      {
        const std::scoped_lock lock(mutex_);
        if (stop_) return;
        ++now_;
        due.swap(slots_[now_ % kSlots]);
      }
      for (auto& item : due) item();
      due.clear();
    }
  }

  const std::size_t ahead_;  // ticks from Add until it fires: rounded up, and the one under way
  std::mutex mutex_;
  std::array<std::vector<Item>, kSlots> slots_;
  std::size_t now_ = 0;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace workpool::bench
