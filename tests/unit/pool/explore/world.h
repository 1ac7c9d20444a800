// A machine of one processor that a test steps: its threads are fibers, which change only where the
// program uses an atomic, waits, wakes, starts or joins, and a schedule says which goes on. The
// memory is sequentially consistent; time goes on by a fixed step each time that somebody asks for
// it, and to the next deadline when nobody can run.
#pragma once

#include <ucontext.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"

namespace workpool::explore {

// Says who goes on.
class Schedule {
 public:
  virtual ~Schedule() = default;
  // An index into `runnable` (fibers by number, in order, not empty). `current` is the index of the
  // one that runs and could go on, or -1; `yields`: it would rather not.
  virtual std::size_t Choose(const std::vector<int>& runnable, int current, bool yields) = 0;
  // Whether a wait returns without a reason, a thread is refused.
  virtual bool Spurious() { return false; }
};

struct Machine {
  std::chrono::nanoseconds clock_step{1000};
  bool spin_pays = false;
  int refuse_threads_from = 1000;  // the system starts no more than this
  int refusals = 0;                // and then refuses so many
};

class World {
 public:
  World(Schedule& schedule, const Machine& machine);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Runs `main` and all that it starts. False: nobody could go on, or it went on for ever; then
  // what it was about is left as it is.
  bool Run(std::function<void()> main);

  // For the platform, from inside.
  static World& Current();
  void Step(bool yields = false);
  // Until Wake of the same word, or `until`.
  void Block(const void* word, SteadyTime until);
  void Wake(const void* word, bool all);
  int Start(std::function<void()> body);
  bool RefusesThread();
  void Join(int fiber);
  int Self() const { return current_; }
  SteadyTime Tick() { return now_ += machine_.clock_step; }
  SteadyTime now() const { return now_; }
  bool spin_pays() const { return machine_.spin_pays; }
  bool Spurious() { return schedule_.Spurious(); }
  const void*& Owner();
  std::uint64_t steps() const { return steps_; }

 private:
  struct Fiber;

  static void Main();
  void Dispatch(int current, bool yields);
  bool PassTime();
  void SwitchTo(int fiber);

  Schedule& schedule_;
  Machine machine_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<int> runnable_;
  ucontext_t outside_{};
  int current_ = -1;
  int started_ = 0;
  std::uint64_t steps_ = 0;
  bool stuck_ = false;
  SteadyTime now_{std::chrono::seconds(1)};
};

}  // namespace workpool::explore
