#include "daemon_duel.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "server_process.h"

namespace workpool::bench {
namespace {

constexpr const char* kConfig = R"([server]
listen = "127.0.0.1:0"
http = "127.0.0.1:0"
[pools.default]
workers = "1x"
capacity = 10000
when_full = "wait"
)";

// A config file that is gone with its owner.
class ConfigFile {
 public:
  ConfigFile() {
    std::string pattern = std::filesystem::temp_directory_path() / "workpool-bench-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    folder_ = pattern;
    std::ofstream(path()) << kConfig;
  }
  ~ConfigFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  ConfigFile(const ConfigFile&) = delete;
  ConfigFile& operator=(const ConfigFile&) = delete;

  std::string path() const { return folder_ / "workpool.toml"; }

 private:
  std::filesystem::path folder_;
};

std::vector<std::pair<std::string, std::int64_t>> ParametersOf(const Load& load) {
  return {{"clients", load.clients}, {"outstanding", load.outstanding}, {"batch", load.batch}};
}

}  // namespace

Figures Duel(const std::string& bench, const Options& options, const Load& workpool_load,
             const Measure& workpool, const Load& empty_load, const Measure& empty) {
  const ConfigFile config;
  std::vector<double> workpool_values, empty_values;
  for (int run = 0; run < options.runs; ++run) {
    {
      const ServerProcess server({options.own_program, "serve-empty"});
      empty_values.push_back(empty(server.address()));
    }
    const ServerProcess server({options.workpoold, "--config", config.path()});
    workpool_values.push_back(workpool(server.address()));
  }
  Figures figures = {
      MakeFigure(bench, "empty-grpc", ParametersOf(empty_load), empty_values, "jobs/s"),
      MakeFigure(bench, "workpool", ParametersOf(workpool_load), workpool_values, "jobs/s")};
  Compare(figures[1], figures[0]);
  return figures;
}

Figures Duel(const std::string& bench, const Options& options, const Load& load) {
  const Measure measure = [&](const std::string& address) {
    return JobsPerSecond(address, load, options.seconds);
  };
  return Duel(bench, options, load, measure, load, measure);
}

}  // namespace workpool::bench
