#include "figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace workpool::bench {
namespace {

// Enough digits for a ratio of two to be seen, no more.
std::string Digits(double value) {
  const double size = std::abs(value);
  if (size != 0 && size < 1) return fmt::format("{:.3f}", value);
  if (size < 100) return fmt::format("{:.2f}", value);
  return fmt::format("{:.0f}", value);
}

}  // namespace

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

Figure MakeFigure(std::string bench, std::string subject, Parameters parameters,
                  std::vector<double> values, std::string unit) {
  const auto [lowest, highest] = std::ranges::minmax(values);
  return {.bench = std::move(bench),
          .subject = std::move(subject),
          .parameters = std::move(parameters),
          .value = Median(values),
          .unit = std::move(unit),
          .runs = static_cast<int>(values.size()),
          .lowest = lowest,
          .highest = highest,
          .extras = {},
          .ratio_to = {},
          .ratio = {}};
}

void Compare(Figure& figure, const Figure& base) {
  figure.ratio_to = base.subject;
  figure.ratio = figure.value / base.value;
}

std::string TableLine(const Figure& figure) {
  std::string parameters;
  for (const auto& [name, value] : figure.parameters) {
    parameters += std::visit([&](const auto& v) { return fmt::format(" {}={}", name, v); }, value);
  }
  std::string line =
      fmt::format("{:<15} {:<20}{:<38} {:>9} {:<7} {:<19}", figure.bench, figure.subject,
                  parameters, Digits(figure.value), figure.unit,
                  fmt::format("[{} - {}]", Digits(figure.lowest), Digits(figure.highest)));
  if (figure.ratio) line += fmt::format("  {} of {}", Digits(*figure.ratio), figure.ratio_to);
  for (const auto& [name, value] : figure.extras) {
    line += fmt::format("  {}={}", name, Digits(value));
  }
  return line;
}

std::string JsonLine(const Figure& figure) {
  nlohmann::ordered_json json = {{"bench", figure.bench}, {"subject", figure.subject}};
  for (const auto& [name, value] : figure.parameters) {
    std::visit([&](const auto& v) { json[name] = v; }, value);
  }
  json["value"] = figure.value;
  json["unit"] = figure.unit;
  json["runs"] = figure.runs;
  json["lowest"] = figure.lowest;
  json["highest"] = figure.highest;
  for (const auto& [name, value] : figure.extras) json[name] = value;
  if (figure.ratio) {
    json["ratio_to"] = figure.ratio_to;
    json["ratio"] = *figure.ratio;
  }
  return json.dump();
}

}  // namespace workpool::bench
