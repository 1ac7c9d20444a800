// An attempt that records what its handler says, and that a test tells to stop. Thread safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "jobs/handler.h"

namespace workpool {

class FakeAttempt final : public Attempt {
 public:
  // To be set up before the handler runs.
  Job fake_job;
  // Keeps a text of the job.
  std::string_view Keep(std::string text) { return kept_.emplace_back(std::move(text)); }
  void SetMetadata(Metadata metadata) {
    metadata_ = std::move(metadata);
    fake_job.metadata = &metadata_;
  }
  std::uint32_t fake_worker = 0;
  int fake_attempt = 1;
  std::optional<SteadyTime> fake_deadline;
  std::chrono::nanoseconds fake_kill_grace = std::chrono::seconds(5);

  void RequestStop() { stop_.request_stop(); }

  // Waits until the attempt has been finished; empty if that takes longer than anything should.
  std::optional<Outcome> WaitForOutcome() {
    const auto hang = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    MutexLock lock(mutex_);
    while (!outcome_) {
      if (!changed_.WaitUntil(mutex_, hang)) break;
    }
    return outcome_;
  }
  // Waits for the first line of its log, or its end.
  void WaitForLog() {
    const auto hang = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    MutexLock lock(mutex_);
    while (log_.empty() && !outcome_) {
      if (!changed_.WaitUntil(mutex_, hang)) break;
    }
  }
  std::optional<Outcome> outcome() const {
    MutexLock lock(mutex_);
    return outcome_;
  }
  // How often Finish was called.
  int finishes() const {
    MutexLock lock(mutex_);
    return finishes_;
  }
  std::vector<std::string> log() const {
    MutexLock lock(mutex_);
    return log_;
  }

  const Job& job() const override { return fake_job; }
  std::uint32_t worker() const override { return fake_worker; }
  int attempt() const override { return fake_attempt; }
  std::optional<SteadyTime> deadline() const override { return fake_deadline; }
  std::stop_token stop_token() const override { return stop_.get_token(); }
  std::chrono::nanoseconds kill_grace() const override { return fake_kill_grace; }
  void ReportProgress(double, std::string_view) override {}
  void AppendLog(std::string_view bytes) override {
    MutexLock lock(mutex_);
    log_.emplace_back(bytes);
    changed_.NotifyAll();
  }
  void Log(LogLevel, std::string_view) override {}
  void Finish(Outcome outcome) override {
    MutexLock lock(mutex_);
    ++finishes_;
    if (!outcome_) outcome_ = std::move(outcome);
    changed_.NotifyAll();
  }

 private:
  std::deque<std::string> kept_;
  Metadata metadata_;
  std::stop_source stop_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::optional<Outcome> outcome_ GUARDED_BY(mutex_);
  int finishes_ GUARDED_BY(mutex_) = 0;
  std::vector<std::string> log_ GUARDED_BY(mutex_);
};

}  // namespace workpool
