// Shorthand for building what prometheus-cpp serialises. Included by .cc files only, so that no
// other folder sees prometheus-cpp.
#pragma once

#include <prometheus/metric_family.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/histogram.h"

namespace workpool::metrics {

using Families = std::vector<prometheus::MetricFamily>;
using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

// The reference is good until the next family is added.
prometheus::MetricFamily& AddCounters(Families& families, std::string_view name,
                                      std::string_view help);
prometheus::MetricFamily& AddGauges(Families& families, std::string_view name,
                                    std::string_view help);
prometheus::MetricFamily& AddHistograms(Families& families, std::string_view name,
                                        std::string_view help);

// Adds a series to a family of counters or gauges.
void AddValue(prometheus::MetricFamily& family, Labels labels, double value);
inline void AddValue(prometheus::MetricFamily& family, Labels labels, std::uint64_t value) {
  AddValue(family, labels, static_cast<double>(value));
}

// Adds a series to a family of histograms, in seconds.
void AddHistogram(prometheus::MetricFamily& family, Labels labels, const HistogramTotals& totals);

}  // namespace workpool::metrics
