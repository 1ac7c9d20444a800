#include "turns.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace workpool::bench {
namespace {

Subject MakeSubject(const std::string& program, const std::string& bench, const std::string& name,
                    const std::string& arguments) {
  Subject subject{.name = name, .command = {program, "once", bench, "subject=" + name}};
  std::istringstream words(arguments);
  for (std::string word; words >> word;) subject.command.push_back(word);
  return subject;
}

Figure FigureOf(const Contest& contest, const Subject& subject, const std::vector<Values>& runs) {
  std::map<std::string, std::vector<double>> columns;
  for (const auto& run : runs) {
    for (const auto& [name, value] : run) columns[name].push_back(value);
  }
  Parameters parameters = contest.parameters;
  std::ranges::copy(subject.parameters, std::back_inserter(parameters));
  Figure figure = MakeFigure(contest.bench, subject.name, std::move(parameters), columns["value"],
                             contest.unit);
  columns.erase("value");
  for (const auto& [name, values] : columns) figure.extras.emplace_back(name, Median(values));
  return figure;
}

}  // namespace

Subject OwnSubject(const Options& options, const std::string& bench, const std::string& name,
                   const std::string& arguments) {
  return MakeSubject(options.own_program, bench, name, arguments);
}

void AddGoSubject(std::vector<Subject>& subjects, const Options& options, const std::string& bench,
                  const std::string& name, const std::string& arguments) {
  if (options.go_program.empty()) return;
  subjects.push_back(MakeSubject(options.go_program, bench, name, arguments));
}

Figures TakeTurns(const Options& options, const Contest& contest,
                  const std::vector<Subject>& subjects) {
  std::vector<Subject> wanted;
  std::ranges::copy_if(subjects, std::back_inserter(wanted),
                       [&](const Subject& subject) { return options.Wants(subject.name); });
  std::vector<std::vector<Values>> runs(wanted.size());
  for (int run = 0; run < options.runs; ++run) {
    for (std::size_t i = 0; i < wanted.size(); ++i) runs[i].push_back(Measured(wanted[i].command));
  }
  Figures figures;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    figures.push_back(FigureOf(contest, wanted[i], runs[i]));
    if (i > 0) Compare(figures.back(), figures.front());
  }
  for (const auto& figure : figures) {
    if (figure.subject == contest.rival) Compare(figures.front(), figure);
  }
  return figures;
}

}  // namespace workpool::bench
