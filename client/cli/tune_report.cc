#include "tune_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "show.h"
#include "table.h"

namespace workpool::cli {

namespace {

constexpr double kGoodEnough = 1.05;

double Seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

// "2" or "1.5".
std::string CoresText(double cores) { return fmt::format("{}", cores); }

std::string Verdict(const TuneReport& report) {
  const TunedSize* const best = report.Best();
  if (best == nullptr) return "no size is named: jobs failed at each\n";
  return fmt::format("{} workers: the smallest size within 5% of the best ({} workers, {})\n",
                     report.Smallest()->workers, best->workers, DurationText(best->Average()));
}

nlohmann::ordered_json WorkersOrNull(const TunedSize* size) {
  return size == nullptr ? nlohmann::ordered_json() : nlohmann::ordered_json(size->workers);
}

}  // namespace

std::chrono::nanoseconds TunedSize::Average() const {
  std::chrono::nanoseconds sum{0};
  for (const TuneRun& run : runs) sum += run.duration;
  return sum / static_cast<std::int64_t>(runs.size());
}

std::uint64_t TunedSize::Failed() const {
  std::uint64_t failed = 0;
  for (const TuneRun& run : runs) failed += run.failed;
  return failed;
}

const TunedSize* TuneReport::Best() const {
  const TunedSize* best = nullptr;
  for (const TunedSize& size : sizes) {
    if (size.Failed() > 0) continue;
    if (best == nullptr || size.Average() < best->Average()) best = &size;
  }
  return best;
}

const TunedSize* TuneReport::Smallest() const {
  const TunedSize* smallest = Best();
  if (smallest == nullptr) return nullptr;
  const double enough = kGoodEnough * Seconds(smallest->Average());
  for (const TunedSize& size : sizes) {
    if (size.Failed() > 0 || size.workers >= smallest->workers) continue;
    if (Seconds(size.Average()) <= enough) smallest = &size;
  }
  return smallest;
}

std::uint64_t TuneReport::Failed() const {
  std::uint64_t failed = 0;
  for (const TunedSize& size : sizes) failed += size.Failed();
  return failed;
}

std::string TextOf(const TuneReport& report) {
  Table table({{"CORES", Align::kRight},
               {"WORKERS", Align::kRight},
               {"JOBS", Align::kRight},
               {"RUN", Align::kRight},
               {"DURATION", Align::kRight},
               {"PEAK ACTIVE", Align::kRight},
               {"PEAK QUEUED", Align::kRight}});
  const std::string cores = CoresText(report.cores);
  const std::string jobs = std::to_string(report.jobs);
  for (const TunedSize& size : report.sizes) {
    const std::string workers = std::to_string(size.workers);
    for (std::size_t i = 0; i < size.runs.size(); ++i) {
      const TuneRun& run = size.runs[i];
      table.Add({cores, workers, jobs, std::to_string(i + 1), DurationText(run.duration),
                 std::to_string(run.active_peak), std::to_string(run.queued_peak)});
    }
    table.Add({cores, workers, jobs, "average", DurationText(size.Average()), "", ""});
  }
  return table.Text() + Verdict(report);
}

nlohmann::ordered_json JsonOf(const TuneReport& report) {
  auto sizes = nlohmann::ordered_json::array();
  for (const TunedSize& size : report.sizes) {
    auto runs = nlohmann::ordered_json::array();
    for (const TuneRun& run : size.runs) {
      runs.push_back({{"seconds", Seconds(run.duration)},
                      {"active_peak", run.active_peak},
                      {"queued_peak", run.queued_peak},
                      {"failed", run.failed}});
    }
    sizes.push_back({{"workers", size.workers},
                     {"runs", std::move(runs)},
                     {"average_seconds", Seconds(size.Average())}});
  }
  return {{"pool", report.pool},
          {"handler", report.handler},
          {"cores", report.cores},
          {"jobs", report.jobs},
          {"failed", report.Failed()},
          {"sizes", std::move(sizes)},
          {"best_workers", WorkersOrNull(report.Best())},
          {"smallest_good_workers", WorkersOrNull(report.Smallest())}};
}

}  // namespace workpool::cli
