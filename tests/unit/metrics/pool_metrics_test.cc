#include "metrics/pool_metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace workpool::metrics {
namespace {

// {name + labels: value}, e.g. "workpool_rejected_total a capacity".
std::map<std::string, double> Flatten(const Families& families) {
  std::map<std::string, double> flat;
  for (const auto& family : families) {
    const bool counter = family.type == prometheus::MetricType::Counter;
    for (const auto& metric : family.metric) {
      std::string key = family.name;
      for (const auto& label : metric.label) key += " " + label.value;
      flat[key] = counter ? metric.counter.value : metric.gauge.value;
    }
  }
  return flat;
}

std::map<std::string, double> Show(const std::vector<PoolView>& pools, std::uint64_t unknown = 0) {
  Families families;
  AddPoolFamilies(families, pools, unknown);
  return Flatten(families);
}

PoolView BusyPool(const std::string& name) {
  PoolView pool;
  pool.configured.name = name;
  pool.stats.limits.workers = 4;
  pool.stats.limits.capacity = 10;
  pool.stats.queued = 2;
  pool.stats.active = 2;
  pool.stats.places_taken = 3;  // one weighs two
  pool.stats.waiting = 5;
  pool.stats.queued_peak = 9;
  pool.stats.active_peak = 4;
  pool.stats.accepted = 100;
  for (std::size_t i = 0; i < kRefusals; ++i) pool.stats.refused[i] = i + 1;
  pool.invalid_posts = 50;
  pool.workers_stuck = 1;
  pool.deleted = 6;
  pool.dead.kept = 7;
  pool.dead.dropped = 8;
  pool.oldest_queued = std::chrono::milliseconds(1500);
  return pool;
}

TEST(PoolMetricsTest, CountsDecisionsOfPoolsThatTheDaemonSizes) {
  PoolView sized = BusyPool("a");
  sized.tuning.emplace();
  sized.tuning->decisions[static_cast<std::size_t>(TuneReason::kSettled)] = 7;
  const auto shown = Show({sized, BusyPool("b")});
  EXPECT_EQ(shown.at("workpool_sizing_decisions_total a settled"), 7);
  EXPECT_EQ(shown.at("workpool_sizing_decisions_total a idle"), 0);
  EXPECT_EQ(
      std::ranges::count_if(shown,
                            [](const auto& series) {
                              return series.first.starts_with("workpool_sizing_decisions_total");
                            }),
      kTuneReasons);
}

TEST(PoolMetricsTest, ShowsThePoolsOwnCounts) {
  const auto shown = Show({BusyPool("a")});
  const std::map<std::string, double> expected = {
      {"workpool_queued a", 2},           {"workpool_active a", 2},
      {"workpool_workers a", 4},          {"workpool_workers_idle a", 1},
      {"workpool_workers_stuck a", 1},    {"workpool_capacity a", 10},
      {"workpool_waiting_posts a", 5},    {"workpool_queued_peak a", 9},
      {"workpool_active_peak a", 4},      {"workpool_jobs_dead a", 7},
      {"workpool_deleted_total a", 6},    {"workpool_dead_dropped_total a", 8},
      {"workpool_accepted_total a", 100}, {"workpool_oldest_queued_seconds a", 1.5}};
  for (const auto& [key, value] : expected) EXPECT_DOUBLE_EQ(shown.at(key), value) << key;
}

TEST(PoolMetricsTest, ReasonsAreThoseOfTheContract) {
  const auto shown = Show({BusyPool("a")});
  const auto refused = [](Refusal refusal) { return static_cast<double>(refusal) + 1; };
  const std::string name = "workpool_rejected_total a ";
  EXPECT_EQ(shown.at(name + "capacity"), refused(Refusal::kQueueFull));
  EXPECT_EQ(shown.at(name + "wait_timeout"), refused(Refusal::kWaitTimeout));
  EXPECT_EQ(shown.at(name + "cancelled"), refused(Refusal::kCancelled));
  EXPECT_EQ(shown.at(name + "draining"), refused(Refusal::kDraining));
  EXPECT_EQ(shown.at(name + "invalid"),
            refused(Refusal::kTooLarge) + refused(Refusal::kTooHeavy) + 50);
  EXPECT_EQ(shown.at(name + "store"), refused(Refusal::kStore));
}

TEST(PoolMetricsTest, PostedIsAcceptedAndRejectedAndWaiting) {
  const auto shown = Show({BusyPool("a")}, 3);
  for (const std::string pool : {"a", "unknown"}) {
    double rejected = 0;
    for (const auto& [key, value] : shown) {
      if (key.starts_with("workpool_rejected_total " + pool + " ")) rejected += value;
    }
    const auto value = [&](const std::string& name) {
      const auto found = shown.find("workpool_" + name + " " + pool);
      return found == shown.end() ? 0 : found->second;
    };
    EXPECT_EQ(value("posted_total"), value("accepted_total") + rejected + value("waiting_posts"));
    EXPECT_GT(value("posted_total"), 0);
  }
}

// Case 27.
TEST(PoolMetricsTest, PoolsAreKeptApart) {
  PoolView three = BusyPool("three");
  PoolView five = BusyPool("five");
  five.stats.active = 5;
  const auto shown = Show({three, five});
  EXPECT_EQ(shown.at("workpool_active three"), 2);
  EXPECT_EQ(shown.at("workpool_active five"), 5);
}

TEST(PoolMetricsTest, IdlePoolShowsZeros) {
  PoolView pool;
  pool.configured.name = "a";
  for (const auto& [key, value] : Show({pool})) {
    const bool workers =
        key.starts_with("workpool_workers a") || key.starts_with("workpool_workers_idle");
    EXPECT_EQ(value, workers ? 1 : 0) << key;
  }
}

TEST(PoolMetricsTest, NoFewerThanNoWorkersAreIdleInAShrinkingPool) {
  PoolView pool = BusyPool("a");
  pool.stats.limits.workers = 1;
  EXPECT_EQ(Show({pool}).at("workpool_workers_idle a"), 0);
}

}  // namespace
}  // namespace workpool::metrics
