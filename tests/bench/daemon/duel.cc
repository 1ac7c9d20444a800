#include "duel.h"

#include <algorithm>
#include <iterator>

namespace workpool::bench {
namespace {

Parameters ParametersOf(const Duel& duel, const Load& load) {
  Parameters parameters = {
      {"clients", load.clients}, {"outstanding", load.outstanding}, {"batch", load.batch}};
  std::ranges::copy(duel.parameters, std::back_inserter(parameters));
  return parameters;
}

}  // namespace

Side PlainSide(const Options& options, const Load& load) {
  return {load, [load, seconds = options.seconds](const std::string& address) {
            return JobsPerSecond(address, load, seconds);
          }};
}

Figures Fight(const Options& options, const Duel& duel, const Side& workpool, const Side& empty) {
  std::vector<double> workpool_values, empty_values;
  for (int run = 0; run < options.runs; ++run) {
    {
      const ServerProcess server({options.own_program, "serve-empty"});
      empty_values.push_back(empty.measure(server.address()));
    }
    const Daemon daemon(options, duel.config);
    workpool_values.push_back(workpool.measure(daemon.address()));
  }
  Figures figures = {
      MakeFigure(duel.bench, "empty-grpc", ParametersOf(duel, empty.load), empty_values, "jobs/s"),
      MakeFigure(duel.bench, "workpool", ParametersOf(duel, workpool.load), workpool_values,
                 "jobs/s")};
  Compare(figures[1], figures[0]);
  return figures;
}

Figures Fight(const Options& options, const Duel& duel, const Load& load) {
  return Fight(options, duel, PlainSide(options, load), PlainSide(options, load));
}

}  // namespace workpool::bench
