// An observer that counts by label and remembers what it was told. Thread safe.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "base/mutex.h"
#include "jobs/observer.h"

namespace workpool {

class RecordingObserver final : public JobObserver {
 public:
  void OnStarted(const JobLabels& labels, std::chrono::nanoseconds) override {
    MutexLock lock(mutex_);
    ++started_[Key(labels)];
  }
  void OnAttemptEnded(const JobLabels&, AttemptOutcome outcome, std::chrono::nanoseconds) override {
    MutexLock lock(mutex_);
    ++ended_[static_cast<std::size_t>(outcome)];
  }
  void OnFinished(const JobLabels& labels, const JobView& view) override {
    MutexLock lock(mutex_);
    ++finished_[Key(labels)];
    ++states_[static_cast<std::size_t>(view.state)];
  }
  void OnInvalidPost(std::string_view pool, ErrorCode) override {
    MutexLock lock(mutex_);
    ++invalid_[std::string(pool)];
  }

  std::map<std::string, std::uint64_t> started() const { return Read(started_); }
  std::map<std::string, std::uint64_t> finished() const { return Read(finished_); }
  std::map<std::string, std::uint64_t> invalid() const { return Read(invalid_); }
  std::uint64_t ended(AttemptOutcome outcome) const {
    return Read(ended_)[static_cast<std::size_t>(outcome)];
  }
  std::uint64_t in_state(JobState state) const {
    return Read(states_)[static_cast<std::size_t>(state)];
  }

 private:
  static std::string Key(const JobLabels& labels) {
    return std::string(labels.pool) + "/" + std::string(labels.handler);
  }
  template <typename T>
  T Read(const T& field) const {
    MutexLock lock(mutex_);
    return field;
  }

  mutable Mutex mutex_;
  std::map<std::string, std::uint64_t> started_;
  std::map<std::string, std::uint64_t> finished_;
  std::map<std::string, std::uint64_t> invalid_;
  std::array<std::uint64_t, kAttemptOutcomes> ended_{};
  std::array<std::uint64_t, kJobStates> states_{};
};

}  // namespace workpool
