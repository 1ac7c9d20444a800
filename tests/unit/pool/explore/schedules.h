// Which interleavings of a World are explored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "unit/pool/explore/world.h"

namespace workpool::explore {

// Changes now and then, with a frequency drawn from the seed; some seeds let waits return without a
// reason.
class RandomSchedule final : public Schedule {
 public:
  explicit RandomSchedule(std::uint64_t seed)
      : random_(seed), one_in_(1U << random_() % 7), spurious_(random_() % 4 == 0) {}

  std::size_t Choose(const std::vector<int>& runnable, int current, bool yields) override {
    if (current >= 0 && !yields && random_() % one_in_ != 0)
      return static_cast<std::size_t>(current);
    return random_() % runnable.size();
  }
  bool Spurious() override { return spurious_ && random_() % 16 == 0; }

 private:
  std::mt19937_64 random_;
  const std::uint64_t one_in_;
  const bool spurious_;
};

// Fibers have priorities drawn at random; at a few steps, drawn from `length`, the one that runs
// becomes the last. Finds what needs few changes at the wrong moments.
class PrioritySchedule final : public Schedule {
 public:
  PrioritySchedule(std::uint64_t seed, std::uint64_t changes, std::uint64_t length)
      : random_(seed) {
    for (std::uint64_t i = 0; i < changes; ++i) changes_.push_back(random_() % length);
  }

  std::size_t Choose(const std::vector<int>& runnable, int current, bool yields) override {
    ++step_;
    const bool change = std::find(changes_.begin(), changes_.end(), step_) != changes_.end();
    if (current >= 0 && (change || yields)) {
      Of(runnable[static_cast<std::size_t>(current)]) = --last_;
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < runnable.size(); ++i) {
      if (Of(runnable[i]) > Of(runnable[best])) best = i;
    }
    return best;
  }

 private:
  std::int64_t& Of(int fiber) {
    while (priorities_.size() <= static_cast<std::size_t>(fiber)) {
      priorities_.push_back(static_cast<std::int64_t>(random_() % 1'000'000));
    }
    return priorities_[static_cast<std::size_t>(fiber)];
  }

  std::mt19937_64 random_;
  std::vector<std::uint64_t> changes_;
  std::vector<std::int64_t> priorities_;
  std::int64_t last_ = 0;
  std::uint64_t step_ = 0;
};

// Every schedule in which at most so many fibers are interrupted though they could go on, one after
// the other: Next until false.
class BoundedSchedule final : public Schedule {
 public:
  explicit BoundedSchedule(int interruptions) : bound_(interruptions) {}

  std::size_t Choose(const std::vector<int>& runnable, int current, bool yields) override {
    const bool free = current < 0 || yields;
    if (!free && interruptions_ >= bound_) return static_cast<std::size_t>(current);
    if (runnable.size() == 1) return 0;
    if (depth_ == path_.size()) path_.push_back({0, runnable.size()});
    // The first choice is to go on, or when that is not possible the next in turn.
    const std::size_t first = current >= 0 && !yields ? static_cast<std::size_t>(current) : 0;
    const std::size_t chosen = (first + path_[depth_++].taken) % runnable.size();
    if (!free && chosen != first) ++interruptions_;
    return chosen;
  }

  // To the schedule after this one; false when there is none.
  bool Next() {
    depth_ = 0;
    interruptions_ = 0;
    while (!path_.empty() && ++path_.back().taken == path_.back().choices) path_.pop_back();
    return !path_.empty();
  }

 private:
  struct Branch {
    std::size_t taken;
    std::size_t choices;
  };

  const int bound_;
  int interruptions_ = 0;
  std::size_t depth_ = 0;
  std::vector<Branch> path_;
};

}  // namespace workpool::explore
