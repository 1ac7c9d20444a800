// A workpoold under measurement.
#pragma once

#include <cstdint>
#include <string>

#include "options.h"
#include "server_process.h"
#include "temporary_folder.h"
#include "workpool/admin.h"

namespace workpool::bench {

// Its one pool is `default`, which makes posts wait while it is full: every post is accepted and,
// over a run, as many jobs are finished as are accepted.
struct DaemonConfig {
  std::string workers = "\"1x\"";  // as the config file has it
  std::uint64_t capacity = 10'000;
  std::string capacity_bytes = "256MiB";
  bool paused = false;  // nothing starts
};

// Failures throw std::runtime_error.
class Daemon {
 public:
  Daemon(const Options& options, const DaemonConfig& config);

  const std::string& address() const { return process_.address(); }
  // Resident memory, in MiB.
  double ResidentMib() const;

  void Pause();
  void Resume();
  // Blocks until nothing is queued or active.
  void AwaitIdle();

 private:
  client::Admin MakeAdmin() const;

  TemporaryFolder folder_;
  ServerProcess process_;
};

}  // namespace workpool::bench
