#include "handlers/command.h"

#include <atomic>
#include <optional>
#include <stop_token>

#include "base/mutex.h"
#include "handlers/command_environment.h"
#include "handlers/command_outcome.h"
#include "handlers/stderr_lines.h"

namespace workpool {
namespace {

// One attempt while its command runs. Kept alive by the callbacks that the runner holds.
//
// The command may end before the worker's thread has come back from starting it: the attempt is
// finished by whichever of Watch and OnExit comes second.
class CommandRun {
 public:
  CommandRun(std::shared_ptr<Attempt> attempt, int no_retry_exit)
      : attempt_(std::move(attempt)),
        no_retry_exit_(no_retry_exit),
        stderr_([this](std::string_view line) { attempt_->AppendLog(std::string(line) + '\n'); },
                kJobLogBytes) {}

  void OnStderr(std::string_view bytes) { stderr_.Write(bytes); }

  // Stops the child when the attempt is told to stop.
  void Watch(std::shared_ptr<Child> child) {
    auto watcher =
        std::make_unique<Watcher>(attempt_->stop_token(), Stopper{this, std::move(child)});
    std::optional<ChildExit> exit;
    {
      MutexLock lock(mutex_);
      if (!exit_) {
        watcher_ = std::move(watcher);
        return;
      }
      exit = std::move(exit_);
    }
    Finish(std::move(watcher), std::move(*exit));
  }

  void OnExit(ChildExit exit) {
    std::unique_ptr<Watcher> watcher;
    {
      MutexLock lock(mutex_);
      if (!watcher_) {
        exit_ = std::move(exit);
        return;
      }
      watcher = std::move(watcher_);
    }
    Finish(std::move(watcher), std::move(exit));
  }

 private:
  struct Stopper {
    CommandRun* run;
    std::shared_ptr<Child> child;
    void operator()() const {
      run->told_to_stop_ = true;
      child->Stop(run->attempt_->kill_grace());
    }
  };
  using Watcher = std::stop_callback<Stopper>;

  void Finish(std::unique_ptr<Watcher> watcher, ChildExit exit) {
    watcher.reset();  // waits for a Stopper at work, which needs the attempt unfinished
    stderr_.Finish();
    attempt_->Finish(
        CommandOutcome(std::move(exit), no_retry_exit_, stderr_.last(), told_to_stop_));
  }

  const std::shared_ptr<Attempt> attempt_;
  const int no_retry_exit_;
  StderrLines stderr_;  // of the runner's thread until OnExit
  std::atomic<bool> told_to_stop_ = false;

  Mutex mutex_;
  std::unique_ptr<Watcher> watcher_ GUARDED_BY(mutex_);
  std::optional<ChildExit> exit_ GUARDED_BY(mutex_);
};

class CommandHandler final : public Handler {
 public:
  CommandHandler(CommandOptions options, ChildRunner& runner)
      : options_(std::move(options)), runner_(runner) {}

  void Run(std::shared_ptr<Attempt> attempt) override {
    if (attempt->stop_token().stop_requested()) {
      return attempt->Finish(
          Outcome::Failure("told to stop before it started", "STOPPED").Stopped());
    }
    auto run = std::make_shared<CommandRun>(attempt, options_.no_retry_exit);
    auto child = runner_.Start(SpecFor(*attempt, run),
                               [run](ChildExit exit) { run->OnExit(std::move(exit)); });
    if (child) {
      run->Watch(std::move(*child));
    } else {
      attempt->Finish(Outcome::Failure(child.error().message, "START_FAILED"));
    }
  }
  // Starting a program takes about a millisecond of a core; its thread does not wait for its end.
  bool brief() const override { return true; }

 private:
  ChildSpec SpecFor(const Attempt& attempt, const std::shared_ptr<CommandRun>& run) const {
    ChildSpec spec;
    spec.argv = options_.exec;
    spec.cwd = options_.cwd;
    spec.env = CommandEnvironment(options_, attempt);
    spec.input = std::string(attempt.job().payload);
    spec.max_output = options_.max_result;
    spec.on_stderr = [run](std::string_view bytes) { run->OnStderr(bytes); };
    return spec;
  }

  const CommandOptions options_;
  ChildRunner& runner_;
};

}  // namespace

std::shared_ptr<Handler> MakeCommandHandler(CommandOptions options, ChildRunner& runner) {
  return std::make_shared<CommandHandler>(std::move(options), runner);
}

}  // namespace workpool
