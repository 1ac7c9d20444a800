#include "metrics/pool_metrics.h"

#include <array>
#include <chrono>
#include <string_view>

namespace workpool::metrics {
namespace {

constexpr std::string_view kUnknownPool = "unknown";

struct PoolMetric {
  std::string_view name;
  std::string_view help;
  double (*read)(const PoolView&);
};

double ToDouble(std::uint64_t count) { return static_cast<double>(count); }

double OldestSeconds(const PoolView& pool) {
  return pool.oldest_queued ? std::chrono::duration<double>(*pool.oldest_queued).count() : 0;
}

const std::array kGauges{
    PoolMetric{"workpool_queued", "Jobs that wait for a worker.",
               [](const PoolView& pool) { return ToDouble(pool.stats.queued); }},
    PoolMetric{"workpool_active", "Jobs that a worker has.",
               [](const PoolView& pool) { return ToDouble(pool.stats.active); }},
    PoolMetric{"workpool_workers", "Workers of the pool, as in force now.",
               [](const PoolView& pool) { return ToDouble(pool.stats.limits.workers); }},
    PoolMetric{"workpool_workers_idle", "Workers that no job takes; one of weight w takes w.",
               [](const PoolView& pool) { return ToDouble(pool.stats.WorkersIdle()); }},
    PoolMetric{"workpool_workers_stuck",
               "Workers whose handler still runs although its time to stop has passed.",
               [](const PoolView& pool) { return ToDouble(pool.workers_stuck); }},
    PoolMetric{"workpool_capacity", "Places in the queue, as in force now.",
               [](const PoolView& pool) { return ToDouble(pool.stats.limits.capacity); }},
    PoolMetric{"workpool_waiting_posts", "Posts that wait for room.",
               [](const PoolView& pool) { return ToDouble(pool.stats.waiting); }},
    PoolMetric{"workpool_queued_peak", "Most jobs queued at once since the start.",
               [](const PoolView& pool) { return ToDouble(pool.stats.queued_peak); }},
    PoolMetric{"workpool_active_peak", "Most jobs active at once since the start.",
               [](const PoolView& pool) { return ToDouble(pool.stats.active_peak); }},
    PoolMetric{"workpool_jobs_dead", "Jobs in state DEAD whose record is kept.",
               [](const PoolView& pool) { return ToDouble(pool.dead.kept); }},
    PoolMetric{"workpool_oldest_queued_seconds", "Age of the job that has been queued for longest.",
               OldestSeconds},
};

const std::array kCounters{
    PoolMetric{"workpool_accepted_total", "Posts that became jobs.",
               [](const PoolView& pool) { return ToDouble(pool.stats.accepted); }},
    PoolMetric{"workpool_deleted_total", "Unfinished jobs that a purge deleted.",
               [](const PoolView& pool) { return ToDouble(pool.deleted); }},
    PoolMetric{"workpool_dead_dropped_total",
               "DEAD jobs whose record was dropped before its age, for want of room.",
               [](const PoolView& pool) { return ToDouble(pool.dead.dropped); }},
};

constexpr std::string_view kInvalid = "invalid";
constexpr std::array<std::string_view, 6> kReasons{"capacity",  kInvalid,   "wait_timeout",
                                                   "cancelled", "draining", "store"};

constexpr std::string_view ReasonOf(Refusal refusal) {
  switch (refusal) {
    case Refusal::kQueueFull: return "capacity";
    case Refusal::kTooLarge:
    case Refusal::kTooHeavy: return kInvalid;
    case Refusal::kWaitTimeout: return "wait_timeout";
    case Refusal::kCancelled: return "cancelled";
    case Refusal::kDraining: return "draining";
    case Refusal::kStore: break;
  }
  return "store";
}

std::uint64_t Rejected(const PoolView& pool, std::string_view reason) {
  std::uint64_t count = reason == kInvalid ? pool.invalid_posts : 0;
  for (std::size_t i = 0; i < kRefusals; ++i) {
    if (ReasonOf(static_cast<Refusal>(i)) == reason) count += pool.stats.refused[i];
  }
  return count;
}

void AddReading(prometheus::MetricFamily& family, const PoolMetric& metric,
                const std::vector<PoolView>& pools) {
  for (const PoolView& pool : pools) {
    AddValue(family, {{"pool", pool.configured.name}}, metric.read(pool));
  }
}

void AddPosted(Families& families, const std::vector<PoolView>& pools, std::uint64_t unknown) {
  prometheus::MetricFamily& family =
      AddCounters(families, "workpool_posted_total",
                  "Posts: accepted, rejected and, for now, waiting for room.");
  for (const PoolView& pool : pools) {
    AddValue(family, {{"pool", pool.configured.name}}, pool.stats.Posted() + pool.invalid_posts);
  }
  AddValue(family, {{"pool", kUnknownPool}}, unknown);
}

void AddRejected(Families& families, const std::vector<PoolView>& pools, std::uint64_t unknown) {
  prometheus::MetricFamily& family =
      AddCounters(families, "workpool_rejected_total", "Posts that were rejected, by reason.");
  for (const PoolView& pool : pools) {
    for (const std::string_view reason : kReasons) {
      AddValue(family, {{"pool", pool.configured.name}, {"reason", reason}},
               Rejected(pool, reason));
    }
  }
  AddValue(family, {{"pool", kUnknownPool}, {"reason", kInvalid}}, unknown);
}

// Only of pools that the daemon sizes.
void AddDecisions(Families& families, const std::vector<PoolView>& pools) {
  prometheus::MetricFamily& family =
      AddCounters(families, "workpool_sizing_decisions_total",
                  "Decisions about the number of workers of a pool that the daemon sizes.");
  for (const PoolView& pool : pools) {
    if (!pool.tuning) continue;
    for (int i = 0; i < kTuneReasons; ++i) {
      AddValue(family,
               {{"pool", pool.configured.name}, {"reason", NameOf(static_cast<TuneReason>(i))}},
               pool.tuning->decisions[static_cast<std::size_t>(i)]);
    }
  }
}

}  // namespace

void AddPoolFamilies(Families& families, const std::vector<PoolView>& pools,
                     std::uint64_t unknown_pool_posts) {
  for (const PoolMetric& metric : kGauges) {
    AddReading(AddGauges(families, metric.name, metric.help), metric, pools);
  }
  AddPosted(families, pools, unknown_pool_posts);
  for (const PoolMetric& metric : kCounters) {
    AddReading(AddCounters(families, metric.name, metric.help), metric, pools);
  }
  AddRejected(families, pools, unknown_pool_posts);
  AddDecisions(families, pools);
}

}  // namespace workpool::metrics
