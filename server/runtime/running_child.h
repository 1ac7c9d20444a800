// One child from its start to its end: feeds it, collects what it says, stops it, and sees to it
// that its whole process group has ended.
//
// How a child ends (docs/handlers.md tells users):
// 1. The leader exits, by itself, by a signal from outside, or because it was stopped: TERM to the
//    group, and KILL to the group when the grace is over.
// 2. Once the leader has exited, its output is awaited, because processes that it started may
//    still be writing: until all have closed it, at most kLinger if the child ends by itself, or
//    until the grace is over if it was stopped.
// 3. What is left of the group gets KILL, and is waited for. A process that has left the group is
//    out of reach, and if it holds the pipes open it is not waited for.
//
// Of the loop's thread, once it has begun.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "jobs/child_process.h"
#include "runtime/child_pipes.h"
#include "runtime/child_table.h"
#include "runtime/reactor.h"
#include "runtime/spawn.h"

namespace workpool {

class RunningChild {
 public:
  static constexpr auto kLinger = std::chrono::milliseconds(250);

  RunningChild(Reactor& reactor, ChildTable& table, Spawned process, ChildSpec spec);
  // A child that has not ended is killed with its group, and reaped.
  ~RunningChild();
  RunningChild(const RunningChild&) = delete;
  RunningChild& operator=(const RunningChild&) = delete;

  // Once. `on_end` is called later, once, and must not destroy this child at once.
  void Begin(std::move_only_function<void(ChildExit)> on_end);
  void Stop(std::chrono::nanoseconds grace);

 private:
  void Keep(std::string_view output);
  void OnLeaderExit();
  void OnPipeEnd();
  void OnTimer();
  void KillBy(SteadyTime when);
  void KillGroup();
  void Reap();
  void AwaitGroup();
  void End();

  bool PipesEnded() const { return output_->ended() && errors_->ended(); }
  int pidfd() const { return exit_watch_ ? exit_watch_->fd() : process_.pidfd.get(); }

  Reactor& reactor_;
  ChildTable& table_;
  Spawned process_;
  ChildSpec spec_;
  std::move_only_function<void(ChildExit)> on_end_;

  std::optional<InputPipe> input_;
  std::optional<OutputPipe> output_;
  std::optional<OutputPipe> errors_;
  std::optional<FdWatch> exit_watch_;
  std::optional<LoopTimer> timer_;

  ChildExit exit_;
  bool told_to_stop_ = false;
  bool exited_ = false;  // the leader: it stays unreaped, so that its number stays the group's
  bool killed_ = false;
  bool reaped_ = false;
  std::optional<SteadyTime> kill_at_;
  std::chrono::milliseconds patience_{1};  // until the next look whether the group is gone
};

}  // namespace workpool
