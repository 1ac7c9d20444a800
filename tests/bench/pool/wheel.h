// A timer wheel: what is put in fires a fixed time later, never early and at most a few ticks late.
// Far cheaper than a heap of timers when very many wait for the same length of time.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
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
      : ahead_(static_cast<std::size_t>(delay / kTick) + 2) {
    slots_.fill(kNone);
    thread_ = std::thread([this] { Turn(); });
  }

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
    std::uint32_t node = free_;
    if (node == kNone) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({std::move(item), kNone});
    } else {
      free_ = nodes_[node].next;
      nodes_[node].item = std::move(item);
    }
    auto& slot = slots_[(now_ + ahead_) % kSlots];
    nodes_[node].next = std::exchange(slot, node);
  }

 private:
  static constexpr std::size_t kSlots = 256;
  static constexpr std::chrono::microseconds kTick{250};
  static constexpr std::size_t kAtOnce = 64;  // taken out under one lock, and fired without it
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Node {
    Item item;
    std::uint32_t next;
  };

  void Turn() {
    for (auto next = Clock::now() + kTick;; next += kTick) {
      std::this_thread::sleep_until(next);
      {
        const std::scoped_lock lock(mutex_);
        if (stop_) return;
        ++now_;
      }
      while (FireSome()) {
      }
    }
  }

  // False if nothing more is due.
  bool FireSome() {
    due_.clear();
    {
      const std::scoped_lock lock(mutex_);
      auto& slot = slots_[now_ % kSlots];
      while (slot != kNone && due_.size() < kAtOnce) {
        Node& node = nodes_[slot];
        due_.push_back(std::move(node.item));
        const auto next = node.next;
        node.next = std::exchange(free_, slot);
        slot = next;
      }
    }
    for (auto& item : due_) item();
    return !due_.empty();
  }

  const std::size_t ahead_;  // ticks from Add until it fires: rounded up, and the one under way
  std::mutex mutex_;
  std::deque<Node> nodes_;                   // as many as ever waited at once
  std::uint32_t free_ = kNone;               // those not in use, linked by `next`
  std::array<std::uint32_t, kSlots> slots_;  // what is due at a tick, linked likewise
  std::vector<Item> due_;                    // the wheel's thread's own
  std::size_t now_ = 0;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace workpool::bench
