#include "metrics/job_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>

#include "metrics/job_metrics.h"

namespace workpool::metrics {
namespace {

using ::testing::ElementsAre;

DispatcherConfig ConfigOf(const std::vector<std::string>& pools,
                          const std::vector<std::pair<std::string, std::string>>& handlers) {
  DispatcherConfig config;
  for (const std::string& pool : pools) config.pools.emplace_back().name = pool;
  for (const auto& [pool, name] : handlers) {
    HandlerConfig& handler = config.handlers.emplace_back();
    handler.pool = pool;
    handler.name = name;
  }
  return config;
}

std::vector<std::string> NamesOf(const JobRecorder& recorder) {
  std::vector<std::string> names;
  for (const Series* series : recorder.all())
    names.push_back(series->pool() + "/" + series->handler());
  return names;
}

SeriesTotals TotalsOf(const JobRecorder& recorder, const std::string& pool,
                      const std::string& handler) {
  for (const Series* series : recorder.all()) {
    if (series->pool() == pool && series->handler() == handler) return series->Totals();
  }
  return {};
}

std::uint64_t AttemptsOf(const SeriesTotals& totals) {
  return std::accumulate(totals.attempts.begin(), totals.attempts.end(), std::uint64_t{0});
}

std::uint64_t SamplesOf(const HistogramTotals& totals) {
  return std::accumulate(totals.buckets.begin(), totals.buckets.end(), std::uint64_t{0});
}

TEST(JobRecorderTest, SeriesAreThoseThatTheConfigNames) {
  JobRecorder recorder;
  EXPECT_THAT(NamesOf(recorder), ElementsAre());
  recorder.SetSeries(ConfigOf({"default", "images"}, {{"images", "resize"}, {"", "echo"}}));
  EXPECT_THAT(NamesOf(recorder),
              ElementsAre("default/echo", "default/other", "images/other", "images/resize"));
}

TEST(JobRecorderTest, HandlerWithoutAPoolHasNoSeriesWhereDefaultIsMissing) {
  JobRecorder recorder;
  recorder.SetSeries(ConfigOf({"images"}, {{"", "echo"}}));
  EXPECT_THAT(NamesOf(recorder), ElementsAre("images/other"));
}

TEST(JobRecorderTest, CountsWhatIsReported) {
  JobRecorder recorder;
  recorder.SetSeries(ConfigOf({"a"}, {{"a", "h"}}));
  const JobLabels labels{"a", "h"};
  JobView view;
  view.state = JobState::kDead;
  recorder.OnStarted(labels, std::chrono::milliseconds(1));
  recorder.OnAttemptEnded(labels, AttemptOutcome::kFailed, std::chrono::milliseconds(2));
  recorder.OnFinished(labels, view);
  const SeriesTotals totals = TotalsOf(recorder, "a", "h");
  EXPECT_EQ(totals.queue_wait.sum_ns, 1'000'000u);
  EXPECT_EQ(totals.run.sum_ns, 2'000'000u);
  EXPECT_EQ(totals.attempts[static_cast<std::size_t>(AttemptOutcome::kFailed)], 1u);
  EXPECT_EQ(AttemptsOf(totals), 1u);
  EXPECT_EQ(totals.finished[static_cast<std::size_t>(JobState::kDead)], 1u);
}

// Case 26: whatever requests name, no series comes into being.
TEST(JobRecorderTest, NamesFromRequestsCreateNoSeries) {
  JobRecorder recorder;
  recorder.SetSeries(ConfigOf({"a"}, {{"a", "h"}}));
  const auto before = NamesOf(recorder);
  for (int i = 0; i < 10'000; ++i) {
    const std::string odd = "odd-" + std::to_string(i);
    recorder.OnStarted({"a", odd}, std::chrono::nanoseconds(1));
    recorder.OnAttemptEnded({odd, "h"}, AttemptOutcome::kSucceeded, std::chrono::nanoseconds(1));
    recorder.OnFinished({odd, odd}, JobView{});
  }
  EXPECT_EQ(NamesOf(recorder), before);
  EXPECT_EQ(SamplesOf(TotalsOf(recorder, "a", kOtherHandler.data()).queue_wait), 10'000u);
  EXPECT_EQ(SamplesOf(TotalsOf(recorder, "a", "h").queue_wait), 0u);
}

TEST(JobRecorderTest, ReloadKeepsCountsAndRemovedPairs) {
  const JobLabels removed{"a", "h", NewLabelsKey()};
  JobRecorder recorder;
  recorder.SetSeries(ConfigOf({"a"}, {{"a", "h"}}));
  recorder.OnStarted(removed, std::chrono::nanoseconds(1));
  recorder.SetSeries(ConfigOf({"b"}, {{"b", "h"}}));
  recorder.OnStarted(removed, std::chrono::nanoseconds(1));
  recorder.OnStarted({"b", "h", NewLabelsKey()}, std::chrono::nanoseconds(1));
  EXPECT_EQ(SamplesOf(TotalsOf(recorder, "a", "h").queue_wait), 2u);
  EXPECT_EQ(SamplesOf(TotalsOf(recorder, "b", "h").queue_wait), 1u);
}

// A thread's cache must not survive what it was filled from.
TEST(JobRecorderTest, NextRecorderStartsFromZero) {
  const std::uint64_t key = NewLabelsKey();
  for (int i = 0; i < 20; ++i) {
    JobRecorder recorder;
    recorder.SetSeries(ConfigOf({"a"}, {{"a", "h"}}));
    recorder.OnStarted({"a", "h", key}, std::chrono::nanoseconds(1));
    recorder.OnStarted({"a", "h", key}, std::chrono::nanoseconds(1));
    EXPECT_EQ(SamplesOf(TotalsOf(recorder, "a", "h").queue_wait), 2u);
  }
}

TEST(JobRecorderTest, FindsEachOfManyPairs) {
  std::vector<std::string> pools;
  std::vector<std::pair<std::string, std::string>> handlers;
  for (int pool = 0; pool < 20; ++pool) {
    pools.push_back("p" + std::to_string(pool));
    for (int i = 0; i < 20; ++i) handlers.emplace_back(pools.back(), "h" + std::to_string(i));
  }
  JobRecorder recorder;
  recorder.SetSeries(ConfigOf(pools, handlers));
  std::vector<JobLabels> labels;
  for (const auto& [pool, name] : handlers) labels.push_back({pool, name, NewLabelsKey()});
  for (int round = 0; round < 2; ++round) {
    for (const JobLabels& each : labels) {
      recorder.OnStarted(each, std::chrono::nanoseconds(1));
      recorder.OnStarted(each, std::chrono::nanoseconds(1));
    }
  }
  for (const Series* series : recorder.all()) {
    EXPECT_EQ(SamplesOf(series->Totals().queue_wait), series->handler() == kOtherHandler ? 0u : 4u);
  }
}

TEST(JobRecorderTest, ThreadsLoseNoCountWhileReloadsAndReadingsGoOn) {
  constexpr int kThreads = 8;  // far below the number of slots: each has its own
  constexpr std::uint64_t kJobs = 20'000;
  JobRecorder recorder;
  recorder.SetSeries(ConfigOf({"a"}, {{"a", "h"}}));
  const JobLabels labels{"a", "h", NewLabelsKey()};
  std::atomic<int> running{kThreads};
  std::vector<std::jthread> threads;
  threads.reserve(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (std::uint64_t i = 0; i < kJobs; ++i) {
        recorder.OnStarted(labels, std::chrono::nanoseconds(1));
        recorder.OnAttemptEnded(labels, AttemptOutcome::kSucceeded, std::chrono::nanoseconds(1));
      }
      --running;
    });
  }
  std::uint64_t last = 0;
  for (int reload = 0; running > 0; ++reload) {
    const std::string name = "new-" + std::to_string(reload % 50);
    recorder.SetSeries(ConfigOf({"a"}, {{"a", "h"}, {"a", name}}));
    const std::uint64_t now = AttemptsOf(TotalsOf(recorder, "a", "h"));
    EXPECT_GE(now, last);
    last = now;
  }
  threads.clear();
  const SeriesTotals totals = TotalsOf(recorder, "a", "h");
  EXPECT_EQ(AttemptsOf(totals), kThreads * kJobs);
  EXPECT_EQ(SamplesOf(totals.queue_wait), kThreads * kJobs);
  EXPECT_EQ(totals.run.sum_ns, kThreads * kJobs);
}

TEST(JobMetricsTest, EverySeriesIsShownFromTheStart) {
  JobRecorder recorder;
  recorder.SetSeries(ConfigOf({"a"}, {{"a", "h"}}));
  Families families;
  AddJobFamilies(families, recorder.all());
  ASSERT_EQ(families.size(), 4u);
  EXPECT_EQ(families[0].name, "workpool_attempts_total");
  EXPECT_EQ(families[0].metric.size(), 2u * 5u);
  EXPECT_EQ(families[1].name, "workpool_finished_total");
  EXPECT_EQ(families[1].metric.size(), 2u * 3u);
  EXPECT_EQ(families[2].name, "workpool_queue_wait_seconds");
  EXPECT_EQ(families[2].metric.size(), 2u);
  EXPECT_EQ(families[3].name, "workpool_run_seconds");
}

TEST(JobMetricsTest, HistogramIsCumulativeAndInSeconds) {
  JobRecorder recorder;
  recorder.SetSeries(ConfigOf({"a"}, {{"a", "h"}}));
  recorder.OnStarted({"a", "h"}, std::chrono::microseconds(200));
  recorder.OnStarted({"a", "h"}, std::chrono::hours(2));
  Families families;
  AddJobFamilies(families, recorder.all());
  const auto& histogram = families[2].metric.front().histogram;
  EXPECT_EQ(histogram.bucket[0].cumulative_count, 0u);
  EXPECT_DOUBLE_EQ(histogram.bucket[0].upper_bound, 1e-4);
  EXPECT_EQ(histogram.bucket[1].cumulative_count, 1u);
  EXPECT_EQ(histogram.bucket[kBuckets - 2].cumulative_count, 1u);
  EXPECT_EQ(histogram.bucket[kBuckets - 1].cumulative_count, 2u);
  EXPECT_EQ(histogram.sample_count, 2u);
  EXPECT_DOUBLE_EQ(histogram.sample_sum, 7200.0002);
}

}  // namespace
}  // namespace workpool::metrics
