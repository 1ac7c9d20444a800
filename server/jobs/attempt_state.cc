#include "jobs/attempt_state.h"

#include <algorithm>
#include <cmath>

#include "base/names.h"
#include "jobs/handler.h"

namespace workpool {
namespace {

constexpr std::size_t kProgressNoteBytes = 200;

}  // namespace

AttemptState::AttemptState(Place place, int number, SteadyTime started, WallTime started_wall,
                           std::optional<SteadyTime> deadline, std::chrono::nanoseconds kill_grace)
    : place_(place),
      number_(number),
      started_(started),
      started_wall_(started_wall),
      deadline_(deadline),
      kill_grace_ns_(kill_grace.count()) {}

std::chrono::nanoseconds AttemptState::kill_grace() const {
  return std::chrono::nanoseconds(kill_grace_ns_.load());
}

std::stop_token AttemptState::stop_token() {
  MutexLock lock(mutex_);
  if (!stop_) stop_.emplace();
  return stop_->get_token();
}

void AttemptState::RequestStop(std::optional<std::chrono::nanoseconds> kill_grace) {
  if (kill_grace) {
    std::int64_t now = kill_grace_ns_.load();
    while (kill_grace->count() < now &&
           !kill_grace_ns_.compare_exchange_weak(now, kill_grace->count())) {
    }
  }
  std::optional<std::stop_source> source;
  {
    MutexLock lock(mutex_);
    if (!stop_) stop_.emplace();
    source = stop_;
  }
  source->request_stop();
}

void AttemptState::ReportProgress(double share, std::string_view note) {
  const double clamped = std::isnan(share) ? 0.0 : std::clamp(share, 0.0, 1.0);
  std::string text = ToValidUtf8(note, kProgressNoteBytes);
  reported_ = true;
  MutexLock lock(mutex_);
  progress_ = clamped;
  progress_note_.swap(text);
}

void AttemptState::AppendLog(std::string_view bytes) {
  reported_ = true;
  MutexLock lock(mutex_);
  const std::size_t room = kJobLogBytes - log_.size();
  log_.append(bytes.substr(0, room));
  if (bytes.size() > room) log_truncated_ = true;
}

void AttemptState::CopyProgress(JobView& view) const {
  MutexLock lock(mutex_);
  view.progress = progress_;
  view.progress_note = progress_note_;
  view.log_truncated = log_truncated_;
}

std::string AttemptState::CopyLog() const {
  std::string log;
  {
    MutexLock lock(mutex_);
    log = log_;
  }
  return ToValidUtf8(log, kJobLogBytes);
}

void AttemptState::MoveReportsTo(JobView& view) {
  if (!reported_) return;
  CopyProgress(view);
  std::string log;
  {
    MutexLock lock(mutex_);
    log.swap(log_);
  }
  // Replacing broken bytes may lengthen the text: the cap holds for what is kept.
  if (!log.empty()) view.log = ToValidUtf8(log, kJobLogBytes);
}

void AttemptState::HandBack(TaskPool& pool, bool at_once) {
  const Hand before = hand_.exchange(at_once ? Hand::kGivenBack : Hand::kEnded);
  if (at_once || before == Hand::kAway) pool.Finish(place_);
}

RunStatus AttemptState::Returned() {
  Hand expected = Hand::kOnWorker;
  if (hand_.compare_exchange_strong(expected, Hand::kAway)) return RunStatus::kPending;
  return expected == Hand::kEnded ? RunStatus::kFinished : RunStatus::kPending;
}

}  // namespace workpool
