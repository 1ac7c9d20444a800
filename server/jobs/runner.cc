#include "jobs/runner.h"

#include <exception>
#include <utility>

#include "base/block_cache.h"
#include "jobs/job_log.h"

namespace workpool {
namespace {

// What the handler holds.
class JobAttempt final : public Attempt {
 public:
  JobAttempt(Runner& runner, Ref<JobEntry> entry, Ref<AttemptState> state)
      : runner_(runner), entry_(std::move(entry)), state_(std::move(state)), job_(entry_->job()) {}
  ~JobAttempt() override {
    if (state_->ended()) return;
    Finish(Outcome::Failure("the handler ended without an outcome", "ABANDONED"));
  }

  const Job& job() const override { return job_; }
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
    LogForHandler(level, message, job(), attempt());
  }
  void Finish(Outcome outcome) override {
    if (state_->ClaimOutcome()) runner_.Complete(entry_, job_, *state_, std::move(outcome));
  }

 private:
  Runner& runner_;
  const Ref<JobEntry> entry_;
  const Ref<AttemptState> state_;
  const Job job_;
};

}  // namespace

RunStatus Runner::Run(JobEntry& raw, Place place) noexcept {
  Ref<JobEntry> entry(&raw);
  const JobEntry::Started started = entry->Start(place, core_.clock.Now(), core_.clock);
  const Ref<AttemptState>& attempt = started.attempt;
  ArmTimeout(entry, *attempt);
  core_.observer.OnStarted(entry->labels(), started.queue_wait);
  if (started.stop == StopReason::kNone) {
    Invoke(std::move(entry), attempt);
  } else if (attempt->ClaimOutcome()) {
    Complete(entry, entry->job(), *attempt, Outcome::Failure(""));  // stopped before it could start
  }
  return attempt->Returned();
}

void Runner::ArmTimeout(const Ref<JobEntry>& entry, AttemptState& attempt) {
  if (entry->timeout().count() == 0) return;
  attempt.timeout_key =
      core_.deadlines.Add(attempt.started() + entry->timeout(), [this, id = entry->id()] {
        if (const auto job = core_.table.Find(id)) stopper_.Stop(job, StopReason::kTimeout);
      });
}

void Runner::Invoke(Ref<JobEntry> entry, const Ref<AttemptState>& attempt) {
  Handler& handler = *entry->handler().handler;
  auto handle = std::allocate_shared<JobAttempt>(BlockAllocator<JobAttempt>(), *this,
                                                 std::move(entry), attempt);
  try {
    handler.Run(handle);
  } catch (...) {
    handle->Finish(Outcome::OfException());
  }
}

void Runner::Complete(const Ref<JobEntry>& entry, const Job& job, AttemptState& attempt,
                      Outcome&& outcome) {
  core_.deadlines.Remove(attempt.timeout_key);
  const SteadyTime now = core_.clock.Now();
  entry->pool().retry().OnCompletion(now);
  entry->pool().tuning().CountRun((now - attempt.started()) * attempt.place().weight);
  Report report = MakeReport(std::move(outcome), core_.max_result.load(std::memory_order_relaxed));
  const JobEntry::Ended ended = entry->EndAttempt(report, now, core_.clock);
  // The place is free before anybody can see the outcome and post the next job on the strength of
  // it; where nobody waits the worker hands it back, which is cheaper.
  attempt.HandBack(entry->pool().tasks(), ended.awaited);
  recorder_.RecordAttempt(entry, job, ended, std::move(report.view));
}

}  // namespace workpool
