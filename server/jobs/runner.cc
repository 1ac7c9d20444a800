#include "jobs/runner.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "jobs/job_log.h"

namespace workpool {
namespace {

// What the handler holds.
class JobAttempt final : public Attempt {
 public:
  JobAttempt(Runner& runner, std::shared_ptr<JobEntry> entry, std::shared_ptr<AttemptState> state)
      : runner_(runner), entry_(std::move(entry)), state_(std::move(state)) {}
  ~JobAttempt() override {
    Finish(Outcome::Failure("the handler ended without an outcome", "ABANDONED"));
  }

  const Job& job() const override { return entry_->job(); }
  std::uint32_t worker() const override { return state_->place().worker; }
  int attempt() const override { return state_->number(); }
  std::optional<SteadyTime> deadline() const override { return state_->deadline(); }
  std::stop_token stop_token() const override { return state_->stop_token(); }
  std::chrono::nanoseconds kill_grace() const override { return state_->kill_grace(); }
  void ReportProgress(double share, std::string_view note) override {
    state_->ReportProgress(share, note);
  }
  void AppendLog(std::string_view bytes) override { state_->AppendLog(bytes); }
  void Log(LogLevel level, std::string_view message) override {
    LogJob(level, message, job(), attempt());
  }
  void Finish(Outcome outcome) override {
    if (state_->ClaimOutcome()) runner_.Complete(entry_, *state_, std::move(outcome));
  }

 private:
  Runner& runner_;
  const std::shared_ptr<JobEntry> entry_;
  const std::shared_ptr<AttemptState> state_;
};

}  // namespace

RunStatus Runner::Run(JobEntry& raw, Place place) noexcept {
  const std::shared_ptr<JobEntry> entry = raw.shared_from_this();
  const std::shared_ptr<AttemptState> attempt = MakeAttempt(*entry, place);
  ArmTimeout(entry, *attempt);
  const JobEntry::Started started = entry->Start(attempt);
  core_.observer.OnStarted(entry->labels(), started.queue_wait);
  if (started.stop == StopReason::kNone) {
    Invoke(entry, attempt);
  } else if (attempt->ClaimOutcome()) {
    Complete(entry, *attempt, Outcome::Failure(""));  // stopped before it could start
  }
  return attempt->Returned();
}

std::shared_ptr<AttemptState> Runner::MakeAttempt(const JobEntry& entry, Place place) const {
  const SteadyTime now = core_.clock.Now();
  std::optional<SteadyTime> deadline = entry.stop_at();
  if (entry.job().timeout.count() > 0) {
    const SteadyTime timeout = now + entry.job().timeout;
    deadline = deadline ? std::min(*deadline, timeout) : timeout;
  }
  return std::make_shared<AttemptState>(place, 1, now, core_.clock.WallNow(), deadline,
                                        entry.handler().kill_grace);
}

void Runner::ArmTimeout(const std::shared_ptr<JobEntry>& entry, AttemptState& attempt) {
  if (entry->job().timeout.count() == 0) return;
  attempt.timeout_key = core_.deadlines.Add(attempt.started() + entry->job().timeout,
                                            [this, weak = std::weak_ptr(entry)] {
                                              if (const auto job = weak.lock())
                                                stopper_.Stop(job, StopReason::kTimeout);
                                            });
}

void Runner::Invoke(const std::shared_ptr<JobEntry>& entry,
                    const std::shared_ptr<AttemptState>& attempt) {
  auto handle = std::make_shared<JobAttempt>(*this, entry, attempt);
  try {
    entry->handler().handler->Run(handle);
  } catch (...) {
    handle->Finish(Outcome::OfException());
  }
}

void Runner::Complete(const std::shared_ptr<JobEntry>& entry, AttemptState& attempt,
                      Outcome outcome) {
  core_.deadlines.Remove(attempt.timeout_key);
  const SteadyTime now = core_.clock.Now();
  entry->pool().retry().OnCompletion(now);
  entry->pool().tuning().CountRun((now - attempt.started()) * attempt.place().weight);
  std::optional<JobEntry::Ended> ended = entry->EndAttempt(
      MakeReport(std::move(outcome), core_.max_result.load(std::memory_order_relaxed)), now,
      core_.clock.WallNow());
  // The place is free before anybody can see the outcome and post the next job on the strength of
  // it; where nobody waits the worker hands it back, which is cheaper.
  attempt.HandBack(entry->pool().tasks(), ended && ended->awaited);
  if (ended) recorder_.RecordAttempt(entry, *ended);
}

}  // namespace workpool
