#include "rpc/pool_rates.h"

#include "rpc/pool_to_proto.h"
#include "rpc/time_convert.h"

namespace workpool::rpc {
namespace {

// A pool that was removed and came back starts from 0 again.
double PerSecond(std::uint64_t now, std::uint64_t before, double seconds) {
  return now > before && seconds > 0 ? static_cast<double>(now - before) / seconds : 0;
}

}  // namespace

void PoolRates::Write(const std::vector<PoolView>& views, SteadyTime now, WallTime wall_now,
                      v1::WatchStatsResponse& out) {
  const double seconds = std::chrono::duration<double>(now - before_).count();
  before_ = now;
  ToProto(wall_now, *out.mutable_at());
  for (const PoolView& view : views) {
    if (!pool_.empty() && view.configured.name != pool_) continue;
    v1::PoolStats& stats = *out.add_pools();
    ToProto(view, *stats.mutable_pool());
    stats.mutable_pool()->set_queued_peak(view.interval.queued_peak);
    stats.mutable_pool()->set_active_peak(view.interval.active_peak);
    WriteRates(stats.pool(), seconds, stats);
  }
}

void PoolRates::WriteRates(const v1::Pool& pool, double seconds, v1::PoolStats& out) {
  const Counts now{pool.accepted(), pool.finished(), pool.rejected()};
  const auto [known, fresh] = counts_.try_emplace(pool.name(), now);
  if (fresh) return;
  out.set_accepted_per_second(PerSecond(now.accepted, known->second.accepted, seconds));
  out.set_finished_per_second(PerSecond(now.finished, known->second.finished, seconds));
  out.set_rejected_per_second(PerSecond(now.rejected, known->second.rejected, seconds));
  known->second = now;
}

}  // namespace workpool::rpc
