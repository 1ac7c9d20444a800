#include "metrics/families.h"

#include <limits>

namespace workpool::metrics {
namespace {

constexpr double kNanosecondsPerSecond = 1e9;

prometheus::MetricFamily& Add(Families& families, std::string_view name, std::string_view help,
                              prometheus::MetricType type) {
  prometheus::MetricFamily& family = families.emplace_back();
  family.name = name;
  family.help = help;
  family.type = type;
  return family;
}

prometheus::ClientMetric& AddSeries(prometheus::MetricFamily& family, Labels labels) {
  prometheus::ClientMetric& series = family.metric.emplace_back();
  for (const auto& [name, value] : labels) {
    series.label.push_back({std::string(name), std::string(value)});
  }
  return series;
}

}  // namespace

prometheus::MetricFamily& AddCounters(Families& families, std::string_view name,
                                      std::string_view help) {
  return Add(families, name, help, prometheus::MetricType::Counter);
}

prometheus::MetricFamily& AddGauges(Families& families, std::string_view name,
                                    std::string_view help) {
  return Add(families, name, help, prometheus::MetricType::Gauge);
}

prometheus::MetricFamily& AddHistograms(Families& families, std::string_view name,
                                        std::string_view help) {
  return Add(families, name, help, prometheus::MetricType::Histogram);
}

void AddValue(prometheus::MetricFamily& family, Labels labels, double value) {
  prometheus::ClientMetric& series = AddSeries(family, labels);
  const bool counter = family.type == prometheus::MetricType::Counter;
  (counter ? series.counter.value : series.gauge.value) = value;
}

void AddHistogram(prometheus::MetricFamily& family, Labels labels, const HistogramTotals& totals) {
  prometheus::ClientMetric::Histogram& histogram = AddSeries(family, labels).histogram;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    histogram.sample_count += totals.buckets[i];
    const double bound = i < kBucketBounds.size()
                             ? static_cast<double>(kBucketBounds[i]) / kNanosecondsPerSecond
                             : std::numeric_limits<double>::infinity();
    histogram.bucket.push_back({histogram.sample_count, bound});
  }
  histogram.sample_sum = static_cast<double>(totals.sum_ns) / kNanosecondsPerSecond;
}

}  // namespace workpool::metrics
