#include "figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace workpool::bench {

Figure MakeFigure(std::string bench, std::string subject,
                  std::vector<std::pair<std::string, std::int64_t>> parameters,
                  std::vector<double> values, std::string unit) {
  std::ranges::sort(values);
  return {.bench = std::move(bench),
          .subject = std::move(subject),
          .parameters = std::move(parameters),
          .value = values[values.size() / 2],
          .unit = std::move(unit),
          .runs = static_cast<int>(values.size()),
          .lowest = values.front(),
          .highest = values.back(),
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
    parameters += fmt::format(" {}={}", name, value);
  }
  const std::string ratio =
      figure.ratio ? fmt::format("  {:.2f} of {}", *figure.ratio, figure.ratio_to) : "";
  return fmt::format("{:<16} {:<20}{:<40} {:>12.0f} {:<7} [{:.0f} - {:.0f}]{}", figure.bench,
                     figure.subject, parameters, figure.value, figure.unit, figure.lowest,
                     figure.highest, ratio);
}

std::string JsonLine(const Figure& figure) {
  nlohmann::ordered_json json = {{"bench", figure.bench}, {"subject", figure.subject}};
  for (const auto& [name, value] : figure.parameters) json[name] = value;
  json["value"] = figure.value;
  json["unit"] = figure.unit;
  json["runs"] = figure.runs;
  json["lowest"] = figure.lowest;
  json["highest"] = figure.highest;
  if (figure.ratio) {
    json["ratio_to"] = figure.ratio_to;
    json["ratio"] = *figure.ratio;
  }
  return json.dump();
}

}  // namespace workpool::bench
