#include "app/pool_section.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "base/names.h"
#include "base/units.h"

namespace workpool {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;

constexpr std::uint64_t kKiB = std::uint64_t{1} << 10;
constexpr std::uint64_t kTiB = std::uint64_t{1} << 40;
constexpr double kMaxPerCore = 1000;
constexpr nanoseconds kShortestIdle = std::chrono::milliseconds(10);

// { min, max, idle }, and with auto = true the daemon chooses between min and max.
void ReadRange(TableReader& table, Workers& workers) {
  std::uint64_t min = 1;
  std::uint64_t max = 0;
  bool automatic = false;
  table.Flag("auto", automatic);
  const bool min_fine = table.Number("min", min, 1, kMaxWorkers) || !table.Has("min");
  const bool max_fine = table.Number("max", max, 1, kMaxWorkers);
  table.Duration("idle", workers.idle, kShortestIdle, kMaxDuration);
  if (!table.Has("max")) table.Complain("max", "is missing: the most workers there may be");
  if (min_fine && max_fine && min > max) {
    table.Complain("min", fmt::format("{} is above max, which is {}", min, max));
  }
  workers.sizing = automatic ? Sizing::kAuto : Sizing::kElastic;
  workers.min = static_cast<std::uint32_t>(min);
  workers.max = static_cast<std::uint32_t>(max);
}

void ReadWorkers(TableReader& table, Workers& workers) {
  const std::string rule = fmt::format(
      "a whole number from 1 to {}, \"3x\" (per core, from \"0.01x\" to \"1000x\"), or a table "
      "such as {{ min = 2, max = 64 }}",
      kMaxWorkers);
  const toml::node* node = table.Raw("workers");
  if (node == nullptr) return;
  if (node->is_table()) {
    table.Table("workers", [&](TableReader& range) { ReadRange(range, workers); });
  } else if (node->is_integer()) {
    std::uint64_t number = 0;
    if (table.Number("workers", number, 1, kMaxWorkers)) {
      workers.fixed = static_cast<std::uint32_t>(number);
    }
  } else {
    const auto per_core = node->is_string() ? ParsePerCore(node->as_string()->get()) : std::nullopt;
    if (!per_core) return table.Complain("workers", "must be " + rule);
    workers = *per_core;
  }
}

void ReadRetention(TableReader& pool, std::string_view key, Retention& keep) {
  pool.Table(key, [&](TableReader& table) {
    table.Duration("age", keep.age, nanoseconds(0), kMaxDuration);
    table.Number("jobs", keep.jobs, 0, kMaxCapacity);
    table.Size("bytes", keep.bytes, 0, kTiB);
  });
}

void ReadPool(TableReader& table, PoolSettings& pool) {
  ReadWorkers(table, pool.workers);
  table.Number("capacity", pool.capacity, 0, kMaxCapacity);
  table.Size("capacity_bytes", pool.capacity_bytes, kKiB, 16 * kTiB);
  table.Choice<WhenFull>("when_full", pool.when_full,
                         {{"reject", WhenFull::kReject}, {"wait", WhenFull::kWait}});
  table.Duration("max_wait", pool.max_wait, nanoseconds(0), hours(24));
  table.Number("max_waiting", pool.max_waiting, 0, 1'000'000);
  ReadRetention(table, "keep", pool.keep.finished);
  ReadRetention(table, "keep_dead", pool.keep.dead);
  table.Later({"backlog", "backlog_bytes", "remote", "open", "lease"});
}

}  // namespace

std::vector<PoolSettings> ReadPools(TableReader& pools) {
  std::vector<PoolSettings> list;
  pools.EachTable([&](std::string_view name, TableReader& table) {
    const auto fine = CheckName("the name of a pool", name);
    if (!fine) pools.Complain(name, fine.error().message);
    PoolSettings& pool = list.emplace_back();
    pool.name = name;
    ReadPool(table, pool);
  });
  return list;
}

std::optional<Workers> ParsePerCore(std::string_view text) {
  if (!text.ends_with('x')) return std::nullopt;
  text.remove_suffix(1);
  double factor = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, factor, std::chars_format::fixed);
  if (error != std::errc() || stopped != end || !(factor <= kMaxPerCore)) return std::nullopt;
  const auto percent = std::llround(factor * 100);
  if (percent < 1) return std::nullopt;
  Workers workers;
  workers.per_core_percent = static_cast<std::uint32_t>(percent);
  return workers;
}

std::string FormatWorkers(const Workers& workers) {
  if (workers.sizing != Sizing::kFixed) {
    return fmt::format("{{ {}min = {}, max = {}, idle = \"{}\" }}",
                       workers.sizing == Sizing::kAuto ? "auto = true, " : "", workers.min,
                       workers.max, FormatDuration(workers.idle));
  }
  if (workers.fixed > 0) return std::to_string(workers.fixed);
  return fmt::format("\"{}x\"", workers.per_core_percent / 100.0);
}

}  // namespace workpool
