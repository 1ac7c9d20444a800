// Finds the fewest workers that give a pool its best throughput, and follows when that changes.
//
// The method is hill climbing on the measured curve of throughput over concurrency, as published
// for the .NET thread pool: J. L. Hellerstein, V. Morrison, E. Eilebrecht, "Optimizing Concurrency
// Levels in the .NET ThreadPool: A Case Study of Controller Design and Implementation", FeBID 2008,
// and "Applying Control Theory in the Real World", ACM SIGMETRICS Performance Evaluation Review
// 37(2), 2009. From there: throughput is the only goal and is taken to have one summit; a change of
// size is judged by comparing measured throughput, with the scatter of the measurements; a
// change-point test says when an old measurement no longer holds. Here besides: what is sought is
// the smallest size within 5 % of the summit, by doubling and bisection (SizeSearch); while workers
// lack work throughput says nothing about their number, and the size follows what they use.
//
// Passive and deterministic: no thread, no clock, no I/O. Not thread safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "jobs/load_watch.h"
#include "jobs/size_search.h"
#include "jobs/throughput_meter.h"
#include "jobs/tune_reason.h"

namespace workpool {

// A pool over the time since the sample before.
struct TuneSample {
  SteadyTime now;
  std::uint64_t completions = 0;         // runs that ended
  std::chrono::nanoseconds mean_run{0};  // of those
  std::uint64_t active = 0;              // workers that have a job now
  std::uint64_t queued = 0;              // now, with posts that wait for room
  std::uint64_t turned_away = 0;         // posts refused because the pool was full
  bool full = false;                     // now
};

struct TuneDecision {
  std::uint32_t workers = 0;
  TuneReason reason = TuneReason::kMeasuring;
  bool operator==(const TuneDecision&) const = default;
};

class ConcurrencyTuner {
 public:
  // Sizes from `min` (at least 1) to `max`; the size to begin with is brought between them.
  ConcurrencyTuner(std::uint32_t min, std::uint32_t max, std::uint32_t first);

  // One sample, taken since the decision before was put in force. The first only sets the time.
  TuneDecision Decide(const TuneSample& sample);

  // What happens until the next sample counts for nothing.
  void Rest();

  std::uint32_t workers() const { return workers_; }
  // It is not in the middle of looking for a size.
  bool settled() const { return state_ == State::kWatching; }
  // When the next sample is wanted after the last: long enough for many jobs to end.
  std::chrono::nanoseconds Interval() const;

 private:
  enum class State : std::uint8_t { kWatching, kSearching, kProbing };

  // A size that was found, and what it gave then.
  struct Found {
    std::uint32_t workers;
    double rate;
    double run_ns;
    bool spare;
  };

  struct Reading {
    double rate;
    double completions;
    bool backlog;  // at its end or turned away
    bool mixed;    // a backlog at one of its ends only
    bool early;    // jobs that began under another size weigh in it
  };

  Reading Read(const TuneSample& sample);
  double Busy(const TuneSample& sample, std::chrono::nanoseconds elapsed, bool deep) const;
  TuneDecision Watch(const Reading& reading);
  TuneDecision WatchPressed(const Reading& reading);
  TuneDecision Trim();
  TuneDecision Search(const Reading& reading);
  TuneDecision NextInSearch();
  TuneDecision Resume(TuneReason reason);
  TuneDecision Probe(const Reading& reading);
  bool TimeToProbe();
  TuneDecision BeginProbe();
  TuneDecision EndProbe(TuneReason reason);

  TuneDecision Begin(TuneReason reason);
  void BeginMeasurement();
  SizeReading Measured() const;
  bool MeasuredEnough() const;
  bool Climbing() const;
  bool ClearlyMore(const Reading& reading) const;
  bool Drifted(const Reading& reading);
  bool FalseAlarm() const;
  TuneDecision Set(std::uint32_t workers, TuneReason reason);
  TuneDecision Stay(TuneReason reason) const { return {workers_, reason}; }

  const std::uint32_t min_;
  const std::uint32_t max_;
  std::uint32_t workers_;
  State state_ = State::kWatching;

  std::optional<TuneSample> last_;
  SteadyTime changed_at_{};
  double mean_run_ns_ = 0;
  LoadWatch load_;

  // The last size that was chosen by what was in use, and the use; and one that was too small.
  std::uint32_t trimmed_to_ = 0;
  double trimmed_need_ = 0;
  std::uint32_t too_few_ = 0;

  // Of the measurement at hand.
  ThroughputMeter meter_;
  double grown_ = 0;  // of the backlog, with posts turned away
  double completed_ = 0;
  int spare_readings_ = 0;
  int mixed_readings_ = 0;

  SizeSearch search_;
  double fast_run_ns_ = 0;  // what a job took before it was slower, if that is why it searches
  std::optional<Found> found_;
  double rate_now_ = 0;  // of the found size, lately
  double drift_up_ = 0;
  double drift_down_ = 0;
  bool doubted_ = false;  // the found size is being measured anew
  int held_ = 0;          // decisions since the last probe or search
  int learnt_ = 0;        // readings that have gone into found_->rate since
  bool probe_up_ = false;
};

}  // namespace workpool
