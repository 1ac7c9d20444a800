// Tells from samples of a pool whether its workers are what holds it back, and how many it needs
// when they are not. Passive, deterministic, not thread safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace workpool {

class LoadWatch {
 public:
  enum class Backlog : std::uint8_t { kNone, kSome, kDeep };

  // One interval: `busy` workers on average of `size`, and the work that waited at its end.
  void Add(double busy, std::uint32_t size, Backlog backlog);
  // What came before says nothing about what comes.
  void Forget() { count_ = 0; }

  // All workers were busy and more work waited: for two intervals if it was much, else for four.
  bool pressed() const;

  // The workers that the heaviest part of the last intervals kept busy; none before there are
  // enough intervals. Parts are a few intervals long, so that one that scatters does not count.
  std::optional<double> Need() const;

 private:
  static constexpr std::size_t kWindow = 20;
  static constexpr std::size_t kPart = 3;

  struct Interval {
    double busy = 0;
    double share = 0;
    Backlog backlog = Backlog::kNone;
  };
  bool Held(std::size_t intervals, Backlog at_least, double least_share) const;
  // The `back`th before the last.
  const Interval& Last(std::size_t back) const { return window_[(count_ - 1 - back) % kWindow]; }

  std::array<Interval, kWindow> window_;
  std::size_t count_ = 0;
};

}  // namespace workpool
