#include "metrics/job_metrics.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace workpool::metrics {
namespace {

struct OutcomeName {
  AttemptOutcome outcome;
  std::string_view name;
};

// Attempts are neither leased nor snoozed yet.
constexpr std::array kOutcomes{OutcomeName{AttemptOutcome::kSucceeded, "succeeded"},
                               OutcomeName{AttemptOutcome::kFailed, "failed"},
                               OutcomeName{AttemptOutcome::kTimeout, "timeout"},
                               OutcomeName{AttemptOutcome::kCancelled, "cancelled"},
                               OutcomeName{AttemptOutcome::kInterrupted, "interrupted"}};

struct StateName {
  JobState state;
  std::string_view name;
};

// Jobs do not expire yet.
constexpr std::array kStates{StateName{JobState::kSucceeded, "succeeded"},
                             StateName{JobState::kDead, "dead"},
                             StateName{JobState::kCancelled, "cancelled"}};

struct Reading {
  const Series* series;
  SeriesTotals totals;
};

void AddAttempts(Families& families, const std::vector<Reading>& readings) {
  prometheus::MetricFamily& family =
      AddCounters(families, "workpool_attempts_total", "Runs of jobs that have ended, by outcome.");
  for (const auto& [series, totals] : readings) {
    for (const auto& [outcome, name] : kOutcomes) {
      AddValue(family,
               {{"pool", series->pool()}, {"handler", series->handler()}, {"outcome", name}},
               totals.attempts[static_cast<std::size_t>(outcome)]);
    }
  }
}

void AddFinished(Families& families, const std::vector<Reading>& readings) {
  prometheus::MetricFamily& family =
      AddCounters(families, "workpool_finished_total", "Jobs that have finished, by final state.");
  for (const auto& [series, totals] : readings) {
    for (const auto& [state, name] : kStates) {
      AddValue(family, {{"pool", series->pool()}, {"handler", series->handler()}, {"state", name}},
               totals.finished[static_cast<std::size_t>(state)]);
    }
  }
}

void AddDurations(prometheus::MetricFamily& family, const std::vector<Reading>& readings,
                  HistogramTotals SeriesTotals::* histogram) {
  for (const auto& [series, totals] : readings) {
    AddHistogram(family, {{"pool", series->pool()}, {"handler", series->handler()}},
                 totals.*histogram);
  }
}

}  // namespace

void AddJobFamilies(Families& families, const std::vector<const Series*>& series) {
  std::vector<Reading> readings;
  readings.reserve(series.size());
  for (const Series* one : series) readings.push_back({one, one->Totals()});
  AddAttempts(families, readings);
  AddFinished(families, readings);
  AddDurations(AddHistograms(families, "workpool_queue_wait_seconds",
                             "Time from acceptance to the start of the first attempt."),
               readings, &SeriesTotals::queue_wait);
  AddDurations(AddHistograms(families, "workpool_run_seconds", "Time that an attempt ran."),
               readings, &SeriesTotals::run);
}

}  // namespace workpool::metrics
