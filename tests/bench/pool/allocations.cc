// How often operator new is called for a job, by the size of its closure.
#include "bench.h"
#include "once.h"

namespace workpool::bench {

void PoolAllocations(const Options& options, Report& report) {
  std::map<std::string, std::vector<double>> columns;
  for (int run = 0; run < options.runs; ++run) {
    for (const auto& [name, value] :
         Measured({options.allocations_program, std::to_string(options.jobs / 10 + 1)})) {
      columns[name].push_back(value);
    }
  }
  for (const auto& [name, values] : columns) {
    report.Add({MakeFigure("pool-allocations", "workpool", {{"post", name}}, values, "/job")});
  }
}

}  // namespace workpool::bench
