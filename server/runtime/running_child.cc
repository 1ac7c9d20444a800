#include "runtime/running_child.h"

#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "runtime/process_group.h"

namespace workpool {
namespace {

constexpr auto kMaxPatience = std::chrono::milliseconds(50);
// How long a destroyed child is waited for; what has got KILL needs far less, unless it hangs in
// the system, and then waiting would not help.
constexpr int kReapWaitMs = 1000;

// Far enough to be never, near enough to be added to.
SteadyTime After(std::chrono::nanoseconds grace) {
  constexpr std::chrono::nanoseconds kNever = std::chrono::hours(24 * 365);
  return std::chrono::steady_clock::now() + std::clamp(grace, std::chrono::nanoseconds(0), kNever);
}

}  // namespace

RunningChild::RunningChild(Reactor& reactor, ChildTable& table, Spawned process, ChildSpec spec)
    : reactor_(reactor), table_(table), process_(std::move(process)), spec_(std::move(spec)) {}

RunningChild::~RunningChild() {
  if (reaped_) return;
  SignalGroup(process_.pid, SIGKILL);
  pollfd exited{pidfd(), POLLIN, 0};
  ::poll(&exited, 1, kReapWaitMs);
  Reap();
}

void RunningChild::Begin(std::move_only_function<void(ChildExit)> on_end) {
  on_end_ = std::move(on_end);
  const auto on_pipe_end = [this] { OnPipeEnd(); };
  timer_.emplace(reactor_, [this] { OnTimer(); });
  exit_watch_.emplace(reactor_, std::move(process_.pidfd), [this] { OnLeaderExit(); });
  output_.emplace(
      reactor_, std::move(process_.output), [this](std::string_view bytes) { Keep(bytes); },
      on_pipe_end);
  errors_.emplace(
      reactor_, std::move(process_.errors),
      [this](std::string_view bytes) {
        if (spec_.on_stderr) spec_.on_stderr(bytes);
      },
      on_pipe_end);
  input_.emplace(reactor_, std::move(process_.input), std::move(spec_.input));
  exit_watch_->WaitReadable();
  output_->Start();
  errors_->Start();
  input_->Start();
}

void RunningChild::Keep(std::string_view output) {
  const std::size_t room = spec_.max_output - exit_.output.size();
  exit_.output.append(output.substr(0, room));
  if (output.size() > room) exit_.output_truncated = true;
}

void RunningChild::Stop(std::chrono::nanoseconds grace) {
  if (reaped_) return;
  if (!std::exchange(told_to_stop_, true)) SignalGroup(process_.pid, SIGTERM);
  KillBy(After(grace));
}

void RunningChild::KillBy(SteadyTime when) {
  if (kill_at_ && *kill_at_ <= when) return;
  kill_at_ = when;
  timer_->Set(when);
}

void RunningChild::OnLeaderExit() {
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(process_.pid), &info, WEXITED | WNOHANG | WNOWAIT);
  if (info.si_pid == 0) return exit_watch_->WaitReadable();
  (info.si_code == CLD_EXITED ? exit_.code : exit_.signal) = info.si_status;
  exited_ = true;
  input_.reset();
  if (killed_ || PipesEnded()) return KillGroup();
  if (!told_to_stop_) KillBy(After(kLinger));
}

void RunningChild::OnPipeEnd() {
  if (exited_ && !reaped_ && PipesEnded()) KillGroup();
}

void RunningChild::OnTimer() {
  if (reaped_) return AwaitGroup();
  KillGroup();
}

void RunningChild::KillGroup() {
  killed_ = true;
  SignalGroup(process_.pid, SIGKILL);
  if (!exited_) return;
  Reap();
  AwaitGroup();
}

void RunningChild::Reap() {
  table_.Remove(process_.pid);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(process_.pid), &info, WEXITED | WNOHANG);
  reaped_ = true;
  exit_watch_.reset();
}

void RunningChild::AwaitGroup() {
  if (GroupIsGone(process_.pid)) return End();
  timer_->Set(After(patience_));
  patience_ = std::min(2 * patience_, kMaxPatience);
}

void RunningChild::End() {
  timer_->Cancel();
  output_->Drain();
  errors_->Drain();
  on_end_(std::move(exit_));
}

}  // namespace workpool
