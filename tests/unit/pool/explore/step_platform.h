// The platform of pools that a World steps.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/clock.h"
#include "unit/pool/explore/world.h"

namespace workpool::explore {

struct StepPlatform {
  template <typename T>
  class Atomic {
   public:
    explicit Atomic(T value = T()) : value_(value) {}
    T load(std::memory_order = std::memory_order_seq_cst) const {
      World::Current().Step();
      return value_;
    }
    void store(T value, std::memory_order = std::memory_order_seq_cst) {
      World::Current().Step();
      value_ = value;
    }
    T exchange(T value, std::memory_order = std::memory_order_seq_cst) {
      World::Current().Step();
      return std::exchange(value_, value);
    }
    T fetch_add(T value, std::memory_order = std::memory_order_seq_cst) {
      World::Current().Step();
      return std::exchange(value_, static_cast<T>(value_ + value));
    }
    bool compare_exchange_strong(T& expected, T value,
                                 std::memory_order = std::memory_order_seq_cst) {
      World::Current().Step();
      if (value_ != expected) {
        expected = value_;
        return false;
      }
      value_ = value;
      return true;
    }

   private:
    friend struct StepPlatform;
    T value_;
  };
  using Word = Atomic<std::uint32_t>;

  static void Wait(Word& word, std::uint32_t expected, SteadyTime until) {
    World& world = World::Current();
    world.Step();
    if (word.value_ != expected || until <= world.now() || world.Spurious()) return;
    world.Block(&word, until);
  }
  static void WakeOne(const Word* word) {
    World::Current().Step();
    World::Current().Wake(word, false);
  }
  static void WakeAll(const Word* word) {
    World::Current().Step();
    World::Current().Wake(word, true);
  }

  static SteadyTime Now() { return World::Current().Tick(); }
  static SteadyTime CoarseNow() { return World::Current().now(); }
  static bool SpinPays() { return World::Current().spin_pays(); }
  static void Pause() { World::Current().Step(true); }
  static void Yield() { Pause(); }
  static constexpr int kLockSpins = 0;
  static void LockPause() {}

  using Thread = int;
  static int Start(void* (*main)(void*), void* argument) {
    World::Current().Step();
    if (World::Current().RefusesThread()) return EAGAIN;
    World::Current().Start([main, argument] { main(argument); });
    return 0;
  }
  static Thread Self() { return World::Current().Self(); }
  static void Join(Thread thread) { World::Current().Join(thread); }
  static void NameThread(const std::string&) {}
  static const void*& Owner() { return World::Current().Owner(); }
  static void Sleep(std::chrono::nanoseconds time) {
    World::Current().Block(nullptr, World::Current().now() + time);
  }
  static void TouchStack(std::size_t) {}
};

}  // namespace workpool::explore
