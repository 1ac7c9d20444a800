#include "jobs/pool_sizing.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"

namespace workpool {
namespace {

template <typename T, typename Show>
void Compare(std::string_view key, const T& before, const T& after, Show show,
             std::vector<std::string>& lines) {
  if (before != after) lines.push_back(fmt::format("{} {} -> {}", key, show(before), show(after)));
}

void CompareRetention(std::string_view key, const Retention& before, const Retention& after,
                      std::vector<std::string>& lines) {
  if (before.age == after.age && before.jobs == after.jobs && before.bytes == after.bytes) return;
  const auto show = [](const Retention& r) {
    return fmt::format("{}, {} jobs, {}", FormatDuration(r.age), r.jobs, FormatSize(r.bytes));
  };
  lines.push_back(fmt::format("{} {} -> {}", key, show(before), show(after)));
}

std::string_view NameOf(WhenFull when_full) {
  return when_full == WhenFull::kWait ? "wait" : "reject";
}

bool SameWorkers(const PoolConfig& a, const PoolConfig& b) {
  if (a.limits.workers != b.limits.workers || a.sizing != b.sizing) return false;
  return a.sizing == Sizing::kFixed || (a.min_workers == b.min_workers && a.idle == b.idle);
}

std::string WorkersText(const PoolConfig& config) {
  if (config.sizing == Sizing::kFixed) return std::to_string(config.limits.workers);
  return fmt::format("{} {} to {}, idle {}", config.sizing == Sizing::kAuto ? "auto" : "elastic",
                     config.min_workers, config.limits.workers, FormatDuration(config.idle));
}

std::vector<std::string> Differences(const PoolConfig& before, const PoolConfig& after) {
  const auto number = [](std::uint64_t n) { return n; };
  std::vector<std::string> lines;
  if (!SameWorkers(before, after)) {
    lines.push_back(fmt::format("workers {} -> {}", WorkersText(before), WorkersText(after)));
  }
  Compare("capacity", before.limits.capacity, after.limits.capacity, number, lines);
  Compare("capacity_bytes", before.limits.capacity_bytes, after.limits.capacity_bytes, FormatSize,
          lines);
  Compare("max_waiting", before.limits.max_waiting, after.limits.max_waiting, number, lines);
  Compare("when_full", before.when_full, after.when_full, NameOf, lines);
  Compare("max_wait", before.max_wait, after.max_wait, FormatDuration, lines);
  CompareRetention("keep", before.keep.finished, after.keep.finished, lines);
  CompareRetention("keep_dead", before.keep.dead, after.keep.dead, lines);
  return lines;
}

}  // namespace

Result<void> CheckResize(const ResizeRequest& request) {
  const bool sets = request.workers.has_value() || request.capacity.has_value();
  if (!sets && !request.reset) {
    return Fail(ErrorCode::kBadField, "workers, capacity, reset: at least one must be set");
  }
  if (request.reset && (sets || request.hold_for)) {
    return Fail(ErrorCode::kBadField, "reset: goes with no other field");
  }
  if (request.workers && (*request.workers < 1 || *request.workers > kMaxWorkers)) {
    return Fail(ErrorCode::kBadField,
                fmt::format("workers: {} is not within 1 to {}", *request.workers, kMaxWorkers));
  }
  if (request.capacity && *request.capacity > kMaxCapacity) {
    return Fail(ErrorCode::kBadField,
                fmt::format("capacity: {} is not within 0 to {}", *request.capacity, kMaxCapacity));
  }
  if (request.hold_for && (request.hold_for->count() <= 0 || *request.hold_for > kMaxDuration)) {
    return Fail(ErrorCode::kBadField, "hold_for: must be above 0 and at most 3650 days");
  }
  return {};
}

PoolConfig PoolSizing::Configured() const {
  MutexLock lock(mutex_);
  return config_;
}

PoolSizing::InForce PoolSizing::Current() const {
  MutexLock lock(mutex_);
  InForce now;
  now.limits = config_.limits;
  now.workers_resized = static_cast<bool>(workers_);
  now.version = version_;
  now.idle = config_.idle;
  const bool fixed = workers_ || config_.sizing == Sizing::kFixed;
  now.least_threads = fixed ? kMaxWorkers : config_.min_workers;
  if (config_.sizing == Sizing::kAuto && tuned_) now.limits.workers = *tuned_;
  if (const auto workers = workers_.Value()) now.limits.workers = *workers;
  if (const auto capacity = capacity_.Value()) now.limits.capacity = *capacity;
  // Of a pool whose size follows the load, and of one that is resized for a while, no post that it
  // takes at other times is refused for its weight.
  now.limits.max_weight = config_.limits.workers;
  return now;
}

void PoolSizing::Override(const ResizeRequest& request, SteadyTime now) {
  std::optional<SteadyTime> until;
  if (request.hold_for) {
    until = now + std::chrono::duration_cast<SteadyTime::duration>(*request.hold_for);
  }
  MutexLock lock(mutex_);
  ++version_;
  if (request.reset) {
    workers_ = {};
    capacity_ = {};
  }
  if (request.workers) workers_.Set(*request.workers, until);
  if (request.capacity) capacity_.Set(*request.capacity, until);
}

bool PoolSizing::SetTuned(std::uint32_t workers) {
  MutexLock lock(mutex_);
  if (tuned_ == workers) return false;
  tuned_ = workers;
  ++version_;
  return true;
}

bool PoolSizing::Expire(SteadyTime now) {
  MutexLock lock(mutex_);
  const bool workers = workers_.Expire(now);
  const bool capacity = capacity_.Expire(now);
  if (workers || capacity) ++version_;
  return workers || capacity;
}

std::optional<SteadyTime> PoolSizing::NextExpiry() const {
  MutexLock lock(mutex_);
  const std::optional<SteadyTime> workers = workers_.Until();
  const std::optional<SteadyTime> capacity = capacity_.Until();
  return workers && capacity ? std::min(workers, capacity) : workers ? workers : capacity;
}

std::vector<std::string> PoolSizing::Reconfigure(const PoolConfig& config) {
  MutexLock lock(mutex_);
  std::vector<std::string> lines = Differences(config_, config);
  if (!SameWorkers(config, config_)) workers_ = {};
  if (config.limits.capacity != config_.limits.capacity) capacity_ = {};
  config_ = config;
  ++version_;
  return lines;
}

}  // namespace workpool
