#include "jobs/concurrency_tuner.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace workpool {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds kShortestInterval = std::chrono::milliseconds(500);
constexpr nanoseconds kLongestInterval = std::chrono::minutes(1);
constexpr double kFewestRuns = 20;  // one after the other, in an interval
constexpr double kMostRuns = 200;
constexpr double kReadingError = 0.04;  // what an interval aims at

// A measurement ends when it is clear on which side of the mark it lies, at the latest after kMost.
constexpr int kFewestReadings = 2;
constexpr int kMostReadings = 5;
constexpr int kMostMixed = 8;
constexpr double kFewestJobs = 4;
constexpr double kClear = 2;  // standard errors

// One reading that shows so much more than the best so far needs no second one.
constexpr double kClearlyMore = 1.3;
// And one that shows so little more was not worth the workers.
constexpr double kWorthwhile = 1.07;

// Of unpressed pools: the size is the workers in use and a little, and follows only when it is off
// by more, so that it does not follow every wave.
constexpr double kUse = 0.9;
constexpr double kOff = 0.94;
// A size that was too small once is tried again when so much less is needed.
constexpr double kLessNeed = 0.8;
// Jobs that take so much longer than they did may do so because there are too many workers.
constexpr double kSlower = 1.3;

// A backlog is deep if there are so many jobs for each worker, and it takes so great a part of an
// interval to clear.
constexpr std::uint64_t kDeep = 4;

constexpr double kDriftAllowed = 0.04;
constexpr int kStillLearning = 8;
constexpr double kDriftAlarm = 0.15;
constexpr double kDriftConfirmed = 0.06;

double Seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

ConcurrencyTuner::ConcurrencyTuner(std::uint32_t min, std::uint32_t max, std::uint32_t first)
    : min_(min), max_(max), workers_(std::clamp(first, min, max)), search_(min, max) {}

nanoseconds ConcurrencyTuner::Interval() const {
  const double exact =
      std::clamp(meter_.CompletionsFor(kReadingError) / workers_, kFewestRuns, kMostRuns);
  const double runs = Climbing() ? kFewestRuns : exact;
  const double wanted =
      std::min(mean_run_ns_ * runs, static_cast<double>(kLongestInterval.count()));
  return std::max(nanoseconds(std::llround(wanted)), kShortestInterval);
}

TuneDecision ConcurrencyTuner::Decide(const TuneSample& sample) {
  if (!last_ || sample.now <= last_->now) {
    last_ = sample;
    return Stay(TuneReason::kMeasuring);
  }
  if (sample.completions == 0 && sample.active == 0) {
    last_ = sample;
    load_.Forget();
    if (state_ == State::kProbing) return EndProbe(TuneReason::kIdle);
    return Stay(TuneReason::kIdle);
  }
  const Reading reading = Read(sample);
  last_ = sample;
  switch (state_) {
    case State::kWatching: return Watch(reading);
    case State::kSearching: return Search(reading);
    case State::kProbing: return Probe(reading);
  }
  return Stay(TuneReason::kMeasuring);
}

void ConcurrencyTuner::Rest() {
  if (!last_) return;
  if (state_ == State::kProbing) EndProbe(TuneReason::kIdle);
  load_.Forget();
  last_.reset();
}

ConcurrencyTuner::Reading ConcurrencyTuner::Read(const TuneSample& sample) {
  const nanoseconds elapsed = sample.now - last_->now;
  if (sample.completions > 0) {
    const auto run = static_cast<double>(sample.mean_run.count());
    mean_run_ns_ = mean_run_ns_ == 0 ? run : (mean_run_ns_ + run) / 2;
  }
  const auto done = static_cast<double>(sample.completions);
  const bool backlog = sample.queued > 0 || sample.turned_away > 0;
  const bool deep = sample.queued >= std::max(kDeep * workers_, sample.completions / kDeep) ||
                    sample.turned_away > 0 || sample.full;
  load_.Add(Busy(sample, elapsed, deep), workers_,
            deep      ? LoadWatch::Backlog::kDeep
            : backlog ? LoadWatch::Backlog::kSome
                      : LoadWatch::Backlog::kNone);
  grown_ += static_cast<double>(sample.queued) - static_cast<double>(last_->queued) +
            static_cast<double>(sample.turned_away);
  completed_ += done;
  Reading reading{};
  reading.rate = done / Seconds(elapsed);
  reading.completions = done;
  reading.backlog = backlog;
  reading.mixed = backlog != (last_->queued > 0 || last_->turned_away > 0);
  const auto settled = changed_at_ + nanoseconds(std::llround(mean_run_ns_));
  reading.early = last_->now + elapsed / 50 < settled;
  return reading;
}

// How many workers had a job, on average.
double ConcurrencyTuner::Busy(const TuneSample& sample, nanoseconds elapsed, bool deep) const {
  const auto now = static_cast<double>(sample.active);
  // Runs longer than the interval say little about it.
  const bool long_runs = mean_run_ns_ > static_cast<double>(elapsed.count()) / 2;
  if (long_runs || sample.completions == 0) return now;
  const double busy =
      static_cast<double>(sample.completions) * Seconds(sample.mean_run) / Seconds(elapsed);
  // What a worker does beside running a job is not in the runs, and weighs where these are short.
  return deep ? std::max(busy, now) : busy;
}

// --- watching ------------------------------------------------------------------------------------

TuneDecision ConcurrencyTuner::Watch(const Reading& reading) {
  return load_.pressed() ? WatchPressed(reading) : Trim();
}

TuneDecision ConcurrencyTuner::WatchPressed(const Reading& reading) {
  if (trimmed_to_ == workers_) too_few_ = workers_;
  if (!found_ || found_->spare) return Begin(TuneReason::kMeasuring);
  if (workers_ != found_->workers) {
    drift_up_ = drift_down_ = 0;
    return Set(std::min(found_->workers, workers_ * 2), TuneReason::kReturned);
  }
  if (reading.mixed || reading.early) return Stay(TuneReason::kSettled);
  if (Drifted(reading)) {
    doubted_ = true;
    return Begin(TuneReason::kChanged);
  }
  if (TimeToProbe()) return BeginProbe();
  return Stay(TuneReason::kSettled);
}

// A test of cumulated sums: many small deviations to one side count like one large one.
bool ConcurrencyTuner::Drifted(const Reading& reading) {
  meter_.Add(reading.rate, reading.completions);
  const double off = reading.rate / found_->rate - 1;
  const double noise = meter_.Noise(reading.completions);
  drift_up_ = std::max(0.0, drift_up_ + off - std::max(kDriftAllowed, noise));
  drift_down_ = std::max(0.0, drift_down_ - off - std::max(kDriftAllowed, noise));
  if (std::max(drift_up_, drift_down_) > std::max(kDriftAlarm, 4 * noise)) return true;
  rate_now_ += (reading.rate - rate_now_) / 8;
  if (learnt_ < kStillLearning) found_->rate += off * found_->rate / (++learnt_ + 3);
  return false;
}

TuneDecision ConcurrencyTuner::Trim() {
  if (found_ && found_->spare && mean_run_ns_ > kSlower * found_->run_ns) {
    const TuneDecision begun = Begin(TuneReason::kChanged);
    fast_run_ns_ = found_->run_ns;
    return begun;
  }
  const std::optional<double> need = load_.Need();
  if (!need) {
    return Stay(!found_         ? TuneReason::kMeasuring
                : found_->spare ? TuneReason::kSpare
                                : TuneReason::kSettled);
  }
  if (!found_) found_ = Found{workers_, 0, mean_run_ns_, true};
  if (*need < kLessNeed * trimmed_need_) too_few_ = 0;
  const auto use = static_cast<std::uint32_t>(std::ceil(*need / kUse));
  const std::uint32_t wanted = std::clamp(std::max(use, too_few_ + 1), min_, max_);
  const bool off = static_cast<double>(wanted) <= kOff * static_cast<double>(workers_);
  if (!off) return Stay(TuneReason::kSpare);
  trimmed_to_ = wanted;
  trimmed_need_ = *need;
  return Set(wanted, TuneReason::kSpare);
}

// --- searching -----------------------------------------------------------------------------------

TuneDecision ConcurrencyTuner::Begin(TuneReason reason) {
  state_ = State::kSearching;
  search_ = SizeSearch(min_, max_);
  fast_run_ns_ = std::numeric_limits<double>::infinity();
  BeginMeasurement();
  return Stay(reason);
}

void ConcurrencyTuner::BeginMeasurement() {
  meter_.Start();
  grown_ = completed_ = 0;
  spare_readings_ = mixed_readings_ = 0;
}

SizeReading ConcurrencyTuner::Measured() const {
  return {.rate = meter_.mean(),
          .error = meter_.error(),
          .run_ns = mean_run_ns_,
          .spare = spare_readings_ * 2 > meter_.count(),
          .keeps_up = grown_ <= 0.03 * completed_,
          .rough = meter_.count() < kFewestReadings};
}

bool ConcurrencyTuner::MeasuredEnough() const {
  // Where to begin need not be known well; if it turns out to matter, it is measured again.
  if (search_.empty() && !doubted_) return meter_.completions() >= kFewestJobs * workers_;
  if (meter_.count() < kFewestReadings) return false;
  // However long the jobs are, each worker has ended some.
  if (meter_.count() >= kMostReadings) return meter_.completions() >= kFewestJobs * workers_;
  if (search_.empty()) return false;
  const double off = meter_.mean() / search_.EnoughRate() - 1;
  return std::abs(off) > kClear * meter_.error();
}

// The next reading is the first at a size above all others.
bool ConcurrencyTuner::Climbing() const {
  return state_ == State::kSearching && meter_.count() == 0 && !doubted_ &&
         (search_.empty() || workers_ > search_.Largest());
}

// While it climbs, a first reading decides where it leaves no doubt.
bool ConcurrencyTuner::ClearlyMore(const Reading& reading) const {
  return Climbing() && reading.backlog && !search_.empty() &&
         reading.completions >= kFewestJobs * workers_ &&
         reading.rate > kClearlyMore * search_.BestRate();
}

TuneDecision ConcurrencyTuner::Search(const Reading& reading) {
  if (ClearlyMore(reading)) {
    meter_.Add(reading.rate, reading.completions);
    return NextInSearch();
  }
  const bool passing = reading.mixed && ++mixed_readings_ <= kMostMixed;
  if (reading.early || passing) {
    if (meter_.count() == 0) grown_ = completed_ = 0;
    return Stay(TuneReason::kMeasuring);
  }
  meter_.Add(reading.rate, reading.completions);
  if (!reading.backlog) ++spare_readings_;
  return MeasuredEnough() ? NextInSearch() : Stay(TuneReason::kMeasuring);
}

// Measured anew at the size that was found: was there a change, or only scatter?
bool ConcurrencyTuner::FalseAlarm() const {
  return doubted_ && std::abs(meter_.mean() / found_->rate - 1) < kDriftConfirmed;
}

TuneDecision ConcurrencyTuner::NextInSearch() {
  if (FalseAlarm()) {
    doubted_ = false;
    found_->rate = (found_->rate + meter_.mean()) / 2;
    return Resume(TuneReason::kSettled);
  }
  doubted_ = false;
  const bool slower = !search_.empty() && workers_ > search_.Largest() &&
                      meter_.mean() < search_.BestRate() * kWorthwhile;
  const SizeReading measured = Measured();
  if (measured.spare && !search_.Slower(measured) && measured.run_ns < kSlower * fast_run_ns_) {
    // The load decides from here on, and is not slowed down by the number of workers.
    found_ = Found{workers_, measured.rate, mean_run_ns_, true};
    return Resume(TuneReason::kSpare);
  }
  search_.Note(workers_, measured);
  const std::uint32_t before = workers_;
  if (const std::optional<std::uint32_t> next = search_.Next()) {
    BeginMeasurement();
    return Set(*next, *next > search_.Largest() ? TuneReason::kMore
                      : *next > before          ? TuneReason::kMeasuring
                      : slower                  ? TuneReason::kSlower
                                                : TuneReason::kFewer);
  }
  const std::uint32_t size = search_.Found();
  const SizeReading& at = search_.At(size);
  found_ = Found{size, at.rate, mean_run_ns_, at.spare};
  learnt_ = 0;
  return Resume(slower && size < before ? TuneReason::kSlower : TuneReason::kSettled);
}

TuneDecision ConcurrencyTuner::Resume(TuneReason reason) {
  state_ = State::kWatching;
  rate_now_ = found_->rate;
  drift_up_ = drift_down_ = 0;
  held_ = 0;
  meter_.Start();
  load_.Forget();
  return Set(found_->workers, reason);
}

TuneDecision ConcurrencyTuner::Set(std::uint32_t workers, TuneReason reason) {
  if (workers != workers_) changed_at_ = last_->now;
  workers_ = workers;
  return {workers, reason};
}

}  // namespace workpool
