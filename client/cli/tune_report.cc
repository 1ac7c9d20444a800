#include "tune_report.h"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

std::chrono::nanoseconds TunedSize::Average() const {
  std::chrono::nanoseconds sum{0};
  for (const TuneRun& run : runs) sum += run.duration;
  return sum / static_cast<std::int64_t>(runs.size());
}

const TunedSize& TuneReport::Best() const {
  return *std::ranges::min_element(sizes, {}, &TunedSize::Average);
}

const TunedSize& TuneReport::Smallest() const {
  const double enough = kGoodEnough * Seconds(Best().Average());
  const TunedSize* smallest = &Best();
  for (const TunedSize& size : sizes) {
    if (Seconds(size.Average()) <= enough && size.workers < smallest->workers) smallest = &size;
  }
  return *smallest;
}

std::uint64_t TuneReport::Failed() const {
  std::uint64_t failed = 0;
  for (const TunedSize& size : sizes) {
    for (const TuneRun& run : size.runs) failed += run.failed;
  }
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
  return table.Text() +
         fmt::format("{} workers: the smallest size within 5% of the best ({} workers, {})\n",
                     report.Smallest().workers, report.Best().workers,
                     DurationText(report.Best().Average()));
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
          {"best_workers", report.Best().workers},
          {"smallest_good_workers", report.Smallest().workers}};
}

}  // namespace workpool::cli
