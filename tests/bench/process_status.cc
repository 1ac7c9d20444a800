#include "process_status.h"

#include <sys/resource.h>

#include <fstream>
#include <stdexcept>

namespace workpool::bench {

std::int64_t StatusOf(const std::string& process, const std::string& field) {
  std::ifstream status("/proc/" + process + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field + ":")) return std::stoll(line.substr(field.size() + 1));
  }
  throw std::runtime_error("no " + field + " of process " + process);
}

double OwnCpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

}  // namespace workpool::bench
