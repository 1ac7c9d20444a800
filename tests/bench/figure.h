// What a benchmark reports, for people and for machines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace workpool::bench {

using Parameter = std::pair<std::string, std::variant<std::int64_t, std::string>>;
using Parameters = std::vector<Parameter>;

// One figure: the median over `runs` of one subject, with what it was measured under.
struct Figure {
  std::string bench;
  std::string subject;
  Parameters parameters;
  double value = 0;
  std::string unit;  // ns/job, jobs/s, ...
  int runs = 0;
  double lowest = 0;
  double highest = 0;
  std::vector<std::pair<std::string, double>> extras;  // medians of what else was counted
  std::string ratio_to;  // the subject that `ratio` is a share of, in the same run
  std::optional<double> ratio;
};

using Figures = std::vector<Figure>;

// The middle one, of at least one.
double Median(std::vector<double> values);

// The figure of a subject whose runs gave `values`, at least one.
Figure MakeFigure(std::string bench, std::string subject, Parameters parameters,
                  std::vector<double> values, std::string unit);

// Sets `figure`'s ratio to `base`.
void Compare(Figure& figure, const Figure& base);

// One line of a table for people.
std::string TableLine(const Figure& figure);

// One line of results.jsonl.
std::string JsonLine(const Figure& figure);

}  // namespace workpool::bench
